import { z } from 'zod';
import type { Manifest } from './kustomize.js';

/** The fields used here of custom resources, from the definitions that their operators install. Unknown ones are refused. */
const metadata = z.strictObject({ name: z.string(), namespace: z.string() });
const fromSecret = z.strictObject({ name: z.string(), key: z.string() });

export const scaledObject = z.strictObject({
  apiVersion: z.literal('keda.sh/v1alpha1'),
  kind: z.literal('ScaledObject'),
  metadata,
  spec: z.strictObject({
    scaleTargetRef: z.strictObject({ name: z.string() }),
    pollingInterval: z.number().int(),
    minReplicaCount: z.number().int().min(2),
    maxReplicaCount: z.number().int(),
    advanced: z.strictObject({
      horizontalPodAutoscalerConfig: z.strictObject({
        behavior: z.strictObject({ scaleDown: z.strictObject({ stabilizationWindowSeconds: z.number().int() }) }),
      }),
    }),
    triggers: z.array(
      z.strictObject({
        type: z.literal('metrics-api'),
        metricType: z.enum(['AverageValue', 'Value']),
        useCachedMetrics: z.literal(true),
        authenticationRef: z.strictObject({ name: z.literal('mailvet-metrics') }),
        metadata: z.strictObject({
          url: z.url(),
          authMode: z.literal('bearer'),
          format: z.literal('prometheus'),
          valueLocation: z.string(),
          targetValue: z.string().regex(/^\d+$/),
        }),
      }),
    ),
  }),
});

const CUSTOM: Readonly<Record<string, z.ZodType>> = {
  ScaledObject: scaledObject,
  TriggerAuthentication: z.strictObject({
    apiVersion: z.literal('keda.sh/v1alpha1'),
    kind: z.string(),
    metadata,
    spec: z.strictObject({
      secretTargetRef: z.array(z.strictObject({ parameter: z.literal('token'), ...fromSecret.shape })),
    }),
  }),
  PodMonitor: z.strictObject({
    apiVersion: z.literal('monitoring.coreos.com/v1'),
    kind: z.string(),
    metadata,
    spec: z.strictObject({
      selector: z.strictObject({ matchLabels: z.record(z.string(), z.string()) }),
      podTargetLabels: z.array(z.string()),
      podMetricsEndpoints: z.array(
        z.strictObject({ port: z.string(), authorization: z.strictObject({ credentials: fromSecret }) }),
      ),
    }),
  }),
  PrometheusRule: z.strictObject({
    apiVersion: z.literal('monitoring.coreos.com/v1'),
    kind: z.string(),
    metadata,
    spec: z.strictObject({ groups: z.array(z.strictObject({ name: z.string(), rules: z.array(z.unknown()) })) }),
  }),
  ExternalSecret: z.strictObject({
    apiVersion: z.literal('external-secrets.io/v1'),
    kind: z.string(),
    metadata,
    spec: z.strictObject({
      refreshInterval: z.string(),
      secretStoreRef: z.strictObject({ kind: z.literal('ClusterSecretStore'), name: z.string() }),
      target: z.strictObject({ name: z.literal('mailvet') }),
      dataFrom: z.array(z.strictObject({ extract: z.strictObject({ key: z.string() }) })),
    }),
  }),
};

/** Faults of a custom resource, one line each. */
export function customFaults(manifest: Manifest): readonly string[] {
  const schema = CUSTOM[manifest.kind];
  if (schema === undefined) return [`${manifest.kind} is no known kind`];
  return schema.safeParse(manifest).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
}

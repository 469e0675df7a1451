import type { z } from 'zod';
import type { scaledObject } from './custom-resources.js';
import { build, type Manifest, type Parts } from './kustomize.js';

type Labels = Readonly<Record<string, string>>;

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}
export interface Container {
  readonly image: string;
  readonly args: readonly string[];
  readonly envFrom: readonly {
    readonly configMapRef?: { readonly name: string };
    readonly secretRef?: { readonly name: string };
  }[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly resources: { readonly limits: { readonly memory: string } };
  readonly securityContext: unknown;
}
interface PodTemplate {
  readonly metadata: { readonly labels: Labels };
  readonly spec: {
    readonly serviceAccountName: string;
    readonly automountServiceAccountToken: boolean;
    readonly enableServiceLinks: boolean;
    readonly terminationGracePeriodSeconds?: number;
    readonly securityContext: unknown;
    readonly topologySpreadConstraints?: readonly {
      readonly topologyKey: string;
      readonly labelSelector: { readonly matchLabels: Labels };
    }[];
    readonly containers: readonly [Container];
  };
}
export interface Deployment extends Manifest {
  readonly spec: {
    readonly replicas?: number;
    readonly selector: { readonly matchLabels: Labels };
    readonly template: PodTemplate;
  };
}
interface Job extends Manifest {
  readonly spec: { readonly template: PodTemplate };
}
interface ConfigMap extends Manifest {
  readonly data: Labels;
}
interface Service extends Manifest {
  readonly spec: {
    readonly selector: Labels;
    readonly ports: readonly { readonly name: string; readonly port: number; readonly targetPort: string }[];
  };
}
interface DisruptionBudget extends Manifest {
  readonly spec: { readonly selector: { readonly matchLabels: Labels } };
}
interface ExternalMetric {
  readonly metric: { readonly name: string; readonly selector: { readonly matchLabels: Labels } };
}
interface Autoscaler extends Manifest {
  readonly spec: {
    readonly scaleTargetRef: { readonly name: string };
    readonly minReplicas: number;
    readonly metrics: readonly { readonly external?: ExternalMetric }[];
  };
}
interface Ingress extends Manifest {
  readonly metadata: Manifest['metadata'] & { readonly annotations: Readonly<Record<string, string>> };
  readonly spec: {
    readonly tls: readonly { readonly hosts: readonly string[] }[];
    readonly rules: readonly {
      readonly host: string;
      readonly http: {
        readonly paths: readonly { readonly backend: { readonly service: { readonly name: string } } }[];
      };
    }[];
  };
}
interface Peer {
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
  readonly namespaceSelector?: { readonly matchLabels: Labels };
}
interface PolicyPort {
  readonly port: number;
  readonly protocol: string;
}
export interface NetworkPolicy extends Manifest {
  readonly spec: {
    readonly podSelector: {
      readonly matchLabels?: Labels;
      readonly matchExpressions?: readonly { readonly key: string; readonly values: readonly string[] }[];
    };
    readonly policyTypes: readonly string[];
    readonly ingress?: readonly { readonly from?: readonly Peer[]; readonly ports: readonly PolicyPort[] }[];
    readonly egress?: readonly { readonly to?: readonly Peer[]; readonly ports: readonly PolicyPort[] }[];
  };
}
interface PrometheusRule extends Manifest {
  readonly spec: { readonly groups: unknown };
}
interface Kinds {
  readonly Deployment: Deployment;
  readonly Job: Job;
  readonly ConfigMap: ConfigMap;
  readonly Service: Service;
  readonly PodDisruptionBudget: DisruptionBudget;
  readonly HorizontalPodAutoscaler: Autoscaler;
  readonly Ingress: Ingress;
  readonly NetworkPolicy: NetworkPolicy;
  readonly PrometheusRule: PrometheusRule;
  readonly ScaledObject: z.output<typeof scaledObject>;
}

/** The manifests of an installation, by kind. */
export class Installation {
  constructor(readonly manifests: readonly Manifest[]) {}

  all<K extends keyof Kinds>(kind: K): readonly Kinds[K][] {
    return this.manifests.filter((one) => one.kind === kind) as unknown as Kinds[K][];
  }

  get configuration(): ConfigMap {
    return this.all('ConfigMap')[0]!;
  }

  /** Deployments of workers. */
  get workers(): readonly Deployment[] {
    return this.all('Deployment').filter(({ spec }) => roleOf(spec.template) === 'worker');
  }

  get templates(): readonly PodTemplate[] {
    return [...this.all('Deployment'), ...this.all('Job')].map(({ spec }) => spec.template);
  }

  /** Variables of a pod that stand in manifests. */
  environmentOf({ spec: { containers } }: PodTemplate): Readonly<Record<string, string>> {
    const [{ envFrom, env = [] }] = containers;
    const shared = envFrom.some(({ configMapRef }) => configMapRef !== undefined) ? this.configuration.data : {};
    return { ...shared, ...Object.fromEntries(env.map(({ name, value }) => [name, value])) };
  }
}

export function roleOf({ metadata: { labels } }: PodTemplate): string {
  return labels['app.kubernetes.io/component'] ?? '';
}

export function isSubset(some: Labels, of: Labels): boolean {
  return Object.entries(some).every(([key, value]) => of[key] === value);
}

/** What workers may be, each with the components that only it goes with. */
const WORKERS: readonly Parts[] = [
  { resources: ['worker'] },
  { resources: ['worker'], components: ['hpa'] },
  { resources: ['worker'], components: ['keda'] },
  { resources: ['pools/by-queue'] },
  { resources: ['pools/by-queue'], components: ['keda-by-queue'] },
  { resources: ['pools/by-egress'] },
];
/** Components that go with everything. */
const OTHERS = ['ingress', 'prometheus-operator', 'tracing', 'external-secrets', 'zone-spread'];

/** Every choice of workers without the other components, and with all of them; and each of these alone. */
export const VARIANTS: readonly Parts[] = [
  ...WORKERS,
  ...WORKERS.map(({ resources, components = [] }) => ({ resources, components: [...components, ...OTHERS] })),
  ...OTHERS.map((component) => ({ resources: ['worker'], components: [component] })),
].map(({ resources, ...rest }) => ({ resources: ['base', ...resources], ...rest }));

const built = new Map<string, Installation>();

export function install(parts: Parts): Installation {
  const id = JSON.stringify(parts);
  const installation = built.get(id) ?? new Installation(build(parts));
  built.set(id, installation);
  return installation;
}

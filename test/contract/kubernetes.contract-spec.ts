import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { listVariables, loadConfig } from '../../src/platform/config/load-config.js';
import { QUEUE_NAMES } from '../../src/platform/config/queue-names.js';

const ROOT = resolve(__dirname, '../..');
const FOLDER = resolve(ROOT, 'docker/k8s');

/** What Kubernetes asks of each kind, as far as it is used here: unknown fields are refused, as `--validate=strict` does. */
const labels = z.record(z.string(), z.string());
const selector = z.strictObject({ matchLabels: labels });
const metadata = z.strictObject({ name: z.string(), labels: labels.optional(), annotations: labels.optional() });
const probe = z.strictObject({
  httpGet: z.strictObject({ path: z.string().startsWith('/'), port: z.string() }),
  periodSeconds: z.number().int(),
  timeoutSeconds: z.number().int().optional(),
  failureThreshold: z.number().int(),
});
const container = z.strictObject({
  name: z.string(),
  image: z.string(),
  args: z.array(z.string()),
  envFrom: z.array(
    z.union([
      z.strictObject({ configMapRef: z.strictObject({ name: z.string() }) }),
      z.strictObject({ secretRef: z.strictObject({ name: z.string() }) }),
    ]),
  ),
  ports: z.array(z.strictObject({ name: z.string().max(15), containerPort: z.number().int() })).optional(),
  startupProbe: probe.optional(),
  livenessProbe: probe.optional(),
  readinessProbe: probe.optional(),
  resources: z.strictObject({
    requests: z.strictObject({ cpu: z.string().regex(/^\d+m$/), memory: z.string().regex(/^\d+Mi$/) }),
    limits: z.strictObject({ memory: z.string().regex(/^\d+Mi$/) }),
  }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  volumeMounts: z.array(z.strictObject({ name: z.string(), mountPath: z.string() })).optional(),
});
const podTemplate = z.strictObject({
  metadata: z.strictObject({ labels, annotations: labels.optional() }),
  spec: z.strictObject({
    serviceAccountName: z.literal('mailvet'),
    automountServiceAccountToken: z.literal(false),
    enableServiceLinks: z.literal(false),
    terminationGracePeriodSeconds: z.number().int().optional(),
    restartPolicy: z.literal('OnFailure').optional(),
    securityContext: z.strictObject({
      runAsNonRoot: z.literal(true),
      runAsUser: z.number().int().positive(),
      runAsGroup: z.number().int().positive(),
      seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
    }),
    topologySpreadConstraints: z
      .array(
        z.strictObject({
          maxSkew: z.number().int(),
          topologyKey: z.string(),
          whenUnsatisfiable: z.string(),
          labelSelector: selector,
        }),
      )
      .optional(),
    containers: z.tuple([container]),
    volumes: z
      .array(z.strictObject({ name: z.string(), emptyDir: z.strictObject({ sizeLimit: z.string() }) }))
      .optional(),
  }),
});
const quantity = z.union([
  z.strictObject({ type: z.literal('Utilization'), averageUtilization: z.number().int().max(100) }),
  z.strictObject({ type: z.literal('AverageValue'), averageValue: z.string().regex(/^\d+$/) }),
]);
const peer = z.union([
  z.strictObject({ namespaceSelector: selector }),
  z.strictObject({ ipBlock: z.strictObject({ cidr: z.string(), except: z.array(z.string()).optional() }) }),
]);
const policyPorts = z.array(z.strictObject({ port: z.number().int(), protocol: z.enum(['TCP', 'UDP']) }));
const requirement = z.strictObject({ key: z.string(), operator: z.literal('In'), values: z.array(z.string()) });

const KINDS = {
  Namespace: z.strictObject({ apiVersion: z.literal('v1'), kind: z.string(), metadata }),
  ServiceAccount: z.strictObject({
    apiVersion: z.literal('v1'),
    kind: z.string(),
    metadata,
    automountServiceAccountToken: z.literal(false),
  }),
  ConfigMap: z.strictObject({ apiVersion: z.literal('v1'), kind: z.string(), metadata, data: labels }),
  Job: z.strictObject({
    apiVersion: z.literal('batch/v1'),
    kind: z.string(),
    metadata,
    spec: z.strictObject({
      backoffLimit: z.number().int(),
      activeDeadlineSeconds: z.number().int(),
      ttlSecondsAfterFinished: z.number().int(),
      template: podTemplate,
    }),
  }),
  Deployment: z.strictObject({
    apiVersion: z.literal('apps/v1'),
    kind: z.string(),
    metadata,
    spec: z.strictObject({
      selector,
      strategy: z.strictObject({
        type: z.literal('RollingUpdate'),
        rollingUpdate: z.strictObject({ maxSurge: z.number(), maxUnavailable: z.number() }),
      }),
      template: podTemplate,
    }),
  }),
  Service: z.strictObject({
    apiVersion: z.literal('v1'),
    kind: z.string(),
    metadata,
    spec: z.strictObject({
      selector: labels,
      ports: z.array(z.strictObject({ name: z.string(), port: z.number(), targetPort: z.string() })),
    }),
  }),
  PodDisruptionBudget: z.strictObject({
    apiVersion: z.literal('policy/v1'),
    kind: z.string(),
    metadata,
    spec: z.strictObject({ maxUnavailable: z.number().int().positive(), selector }),
  }),
  HorizontalPodAutoscaler: z.strictObject({
    apiVersion: z.literal('autoscaling/v2'),
    kind: z.string(),
    metadata,
    spec: z.strictObject({
      scaleTargetRef: z.strictObject({
        apiVersion: z.literal('apps/v1'),
        kind: z.literal('Deployment'),
        name: z.string(),
      }),
      minReplicas: z.number().int().min(2),
      maxReplicas: z.number().int(),
      metrics: z.array(
        z.union([
          z.strictObject({
            type: z.literal('Resource'),
            resource: z.strictObject({ name: z.literal('cpu'), target: quantity }),
          }),
          z.strictObject({
            type: z.literal('External'),
            external: z.strictObject({ metric: z.strictObject({ name: z.string(), selector }), target: quantity }),
          }),
        ]),
      ),
      behavior: z
        .strictObject({ scaleDown: z.strictObject({ stabilizationWindowSeconds: z.number().int() }) })
        .optional(),
    }),
  }),
  NetworkPolicy: z.strictObject({
    apiVersion: z.literal('networking.k8s.io/v1'),
    kind: z.string(),
    metadata,
    spec: z.strictObject({
      podSelector: z.strictObject({
        matchLabels: labels.optional(),
        matchExpressions: z.array(requirement).optional(),
      }),
      policyTypes: z.array(z.enum(['Ingress', 'Egress'])),
      ingress: z.array(z.strictObject({ from: z.array(peer).optional(), ports: policyPorts })).optional(),
      egress: z.array(z.strictObject({ to: z.array(peer).optional(), ports: policyPorts })).optional(),
    }),
  }),
} as const;
type Kind = keyof typeof KINDS;
type Of<K extends Kind> = z.output<(typeof KINDS)[K]>;

interface Manifest {
  readonly file: string;
  readonly kind: string;
  readonly content: unknown;
}

const kustomization = parse(readFileSync(resolve(FOLDER, 'kustomization.yaml'), 'utf8')) as {
  readonly namespace: string;
  readonly resources: readonly string[];
  readonly images: readonly { readonly name: string; readonly newTag: string }[];
};
const files = readdirSync(FOLDER).filter((file) => file !== 'kustomization.yaml');
const manifests: readonly Manifest[] = files.flatMap((file) =>
  parseAllDocuments(readFileSync(resolve(FOLDER, file), 'utf8'), { strict: true }).map((document) => {
    if (document.errors.length > 0) throw document.errors[0]!;
    const content = document.toJS() as { readonly kind: string };
    return { file, kind: content.kind, content };
  }),
);
const all = <K extends Kind>(kind: K): Of<K>[] =>
  manifests.filter((one) => one.kind === kind).map(({ content }) => KINDS[kind].parse(content) as Of<K>);

const deployments = all('Deployment');
const templates = [...deployments, ...all('Job')].map(({ metadata: { name }, spec }) => ({
  name,
  labels: spec.template.metadata.labels,
  pod: spec.template.spec,
  container: spec.template.spec.containers[0],
}));
const configuration = all('ConfigMap')[0]!.data;
const variables = listVariables();
const defaultOf = (name: string): unknown => variables.get(name)?.default;
const isSubset = (some: Record<string, string>, of: Record<string, string>): boolean =>
  Object.entries(some).every(([key, value]) => of[key] === value);

describe('docker/k8s', () => {
  it('lists exactly its files in the kustomization', () => {
    expect([...kustomization.resources].sort()).toEqual(files.sort());
  });

  it.each(manifests.map(({ file, kind, content }) => [file, kind, content] as const))(
    '%s: %s has the fields of its kind',
    (_file, kind, content) => {
      expect(Object.keys(KINDS)).toContain(kind);
      expect(KINDS[kind as Kind].safeParse(content).error?.issues).toBeUndefined();
    },
  );

  it('runs one image in every pod, with one fixed tag', () => {
    expect(new Set(templates.map(({ container: { image } }) => image))).toEqual(new Set(['mailvet']));
    expect(kustomization.images).toHaveLength(1);
    expect(kustomization.images[0]).toMatchObject({
      name: 'mailvet',
      newTag: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
  });

  it('starts existing processes', () => {
    const commands = templates.map(({ container: { args } }) => args.join(' ')).sort();
    expect(commands).toEqual(['node dist/cli migrate', 'node dist/console', 'node dist/main', 'node dist/worker']);
  });

  it('sets only variables that the product reads, to valid values', () => {
    const roles = ['api', 'worker', 'console'] as const;
    const isRead = (name: string) => roles.some((role) => variables.get(name)?.readBy.includes(role));
    expect(Object.keys(configuration).filter((name) => !isRead(name))).toEqual([]);
    const secrets = {
      DATABASE_URL: 'mysql://u:p@mysql.example.com/mailvet',
      ADDRESS_HASH_SECRET: '1:a key of this test',
    };
    const env = { ...configuration, ...secrets };
    for (const role of roles) expect(() => loadConfig(role, env)).not.toThrow();
  });

  it('contains no secret, only references', () => {
    expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    const secret = /(?<!PUBLIC_)URL|SECRET|TOKEN|PASSWORD/;
    expect(Object.keys(configuration).filter((name) => secret.test(name))).toEqual([]);
    for (const { container: one } of templates) {
      expect(one.envFrom).toEqual([{ configMapRef: { name: 'mailvet' } }, { secretRef: { name: 'mailvet' } }]);
    }
  });

  it('probes the ports and paths that the processes serve', () => {
    const portOf: Record<string, string> = {
      'mailvet-api': 'PORT',
      'mailvet-worker': 'WORKER_PORT',
      'mailvet-console': 'CONSOLE_PORT',
    };
    const metricsPortOf: Record<string, string> = {
      'mailvet-api': 'METRICS_PORT',
      'mailvet-console': 'CONSOLE_METRICS_PORT',
    };
    for (const {
      metadata: { name },
      spec,
    } of deployments) {
      const one = spec.template.spec.containers[0];
      const ports = Object.fromEntries((one.ports ?? []).map((port) => [port.name, String(port.containerPort)]));
      const portName = portOf[name]!;
      expect(ports['http']).toBe(configuration[portName] ?? defaultOf(portName));
      // Callers do not stand in line before these.
      const metricsPort = metricsPortOf[name];
      const port = metricsPort === undefined ? 'http' : 'metrics';
      expect(one.startupProbe?.httpGet).toEqual({ path: '/health/startup', port });
      expect(one.livenessProbe?.httpGet).toEqual({ path: '/health/live', port });
      expect(one.readinessProbe?.httpGet).toEqual({ path: '/health/ready', port });
      const scraped = spec.template.metadata.annotations?.['prometheus.io/port'];
      expect(Object.values(ports)).toContain(scraped);
      if (metricsPort !== undefined) {
        expect(ports['metrics']).toBe(configuration[metricsPort] ?? defaultOf(metricsPort));
      }
    }
    expect(all('Service').map(({ spec }) => spec.ports[0]?.targetPort)).toEqual(['http', 'http']);
  });

  it('grants processes more time to stop than they need', () => {
    const of = (name: string): number => Number(configuration[name] ?? defaultOf(name));
    for (const { spec } of deployments) {
      const seconds = spec.template.spec.terminationGracePeriodSeconds ?? 30;
      expect(seconds * 1000).toBeGreaterThan(of('SHUTDOWN_DELAY_MS') + of('SHUTDOWN_GRACE_MS'));
    }
  });

  it('selects by labels of the pods', () => {
    for (const {
      metadata: { name },
      spec,
    } of deployments) {
      expect([name, isSubset(spec.selector.matchLabels, spec.template.metadata.labels)]).toEqual([name, true]);
      for (const { labelSelector } of spec.template.spec.topologySpreadConstraints ?? []) {
        expect(isSubset(labelSelector.matchLabels, spec.template.metadata.labels)).toBe(true);
      }
    }
    const wanted = [
      ...all('Service').map(({ spec }) => spec.selector),
      ...all('PodDisruptionBudget').map(({ spec }) => spec.selector.matchLabels),
    ];
    for (const one of wanted) expect(templates.filter((pod) => isSubset(one, pod.labels))).toHaveLength(1);
  });

  it('scales existing deployments, workers by an existing metric', () => {
    const names = deployments.map(({ metadata: { name } }) => name);
    const scaled = all('HorizontalPodAutoscaler');
    expect(scaled.map(({ spec }) => spec.scaleTargetRef.name).sort()).toEqual(names.sort());
    expect(
      all('PodDisruptionBudget')
        .map(({ metadata: { name } }) => name)
        .sort(),
    ).toEqual(names.sort());
    const external = scaled
      .flatMap(({ spec }) => spec.metrics)
      .flatMap((one) => ('external' in one ? [one.external] : []));
    expect(external).toHaveLength(1);
    const { metric } = external[0]!;
    const source = readFileSync(resolve(ROOT, 'src/platform/queues/queue-metrics.ts'), 'utf8');
    expect(source).toContain(`name: '${metric.name}'`);
    expect(QUEUE_NAMES).toContain(metric.selector.matchLabels['queue']);
    expect(source).toContain(`state: '${metric.selector.matchLabels['state']}'`);
    for (const { spec } of deployments) expect(spec).not.toHaveProperty('replicas');
  });

  it('allows only the API and workers to reach the internet, on the ports of SMTP and HTTPS', () => {
    const policies = all('NetworkPolicy');
    const closed = policies.find(({ spec }) => Object.keys(spec.podSelector).length === 0);
    expect(closed?.spec).toMatchObject({ policyTypes: ['Ingress', 'Egress'] });
    expect(closed?.spec.egress).toBeUndefined();
    const reach = (component: string): string[] =>
      policies
        .filter(({ spec }) => selects(spec.podSelector, component))
        .flatMap(({ spec }) => spec.egress ?? [])
        .flatMap(({ to, ports }) => {
          const internet = to?.some((one) => 'ipBlock' in one && one.ipBlock.cidr.endsWith('/0'));
          const where = to === undefined ? 'anywhere' : internet === true ? 'internet' : 'private';
          return ports.map(({ port, protocol }) => `${where} ${protocol} ${port}`);
        })
        .sort();
    const servers = ['anywhere TCP 53', 'anywhere UDP 53', 'private TCP 3306', 'private TCP 6379'];
    expect(reach('api')).toEqual([...servers.slice(0, 2), 'internet TCP 25', 'internet TCP 443', ...servers.slice(2)]);
    expect(reach('worker')).toEqual(reach('api'));
    expect(reach('migrate')).toEqual(servers);
    expect(reach('console')).toEqual(servers);
    const blocks = policies
      .flatMap(({ spec }) => spec.egress ?? [])
      .flatMap(({ to = [] }) => to)
      .flatMap((one) => ('ipBlock' in one ? [one.ipBlock] : []));
    const except = blocks.filter(({ cidr }) => cidr.endsWith('/0')).flatMap((block) => block.except ?? []);
    expect(except).toEqual(expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16', '192.168.0.0/16', 'fc00::/7']));
  });
});

function selects(podSelector: Of<'NetworkPolicy'>['spec']['podSelector'], component: string): boolean {
  const pod = { 'app.kubernetes.io/name': 'mailvet', 'app.kubernetes.io/component': component };
  return (
    isSubset(podSelector.matchLabels ?? {}, pod) &&
    (podSelector.matchExpressions ?? []).every(({ key, values }) => values.includes(pod[key as keyof typeof pod]))
  );
}

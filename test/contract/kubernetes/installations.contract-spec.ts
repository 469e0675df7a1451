import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { SUBMIT_BODY_LIMIT } from '../../../src/jobs/submit-job.request.js';
import { listVariables, loadConfig } from '../../../src/platform/config/load-config.js';
import { QUEUE_NAMES } from '../../../src/platform/config/queue-names.js';
import { customFaults } from './custom-resources.js';
import { fieldFaults, isBuiltIn } from './field-types.js';
import { install, isSubset, roleOf, VARIANTS, type Deployment, type NetworkPolicy } from './installation.js';
import { FOLDER, hasKustomize, kubectlKustomize } from './kustomize.js';

const ROOT = resolve(__dirname, '../../..');
const PLAIN = { resources: ['base', 'worker'] };
const POOLS = { resources: ['base', 'pools/by-queue'], components: ['keda-by-queue'] };

const variables = listVariables();
const defaultOf = (name: string): string => variables.get(name)?.default ?? '';
/** Variables that the Secret `mailvet` holds. */
const SECRETS = {
  DATABASE_URL: 'mysql://u:p@mysql.example.com/mailvet',
  REDIS_URL: 'redis://redis.example.com',
  ADDRESS_HASH_SECRET: '1:a key of this test',
};
const ROLE_OF = { api: 'api', console: 'console', worker: 'worker', migrate: 'cli' } as const;
const configRoleOf = (component: string) => ROLE_OF[component as keyof typeof ROLE_OF];

const files = (readdirSync(FOLDER, { recursive: true }) as string[]).filter((file) =>
  statSync(join(FOLDER, file)).isFile(),
);
const kustomizations = files.filter((file) => file.endsWith('kustomization.yaml'));

it('every file of docker/k8s is valid YAML that one kustomization names', () => {
  const named = kustomizations.flatMap((file) => {
    const { resources = [], configMapGenerator = [] } = parse(readFileSync(join(FOLDER, file), 'utf8')) as {
      readonly resources?: readonly string[];
      readonly configMapGenerator?: readonly { readonly envs?: readonly string[] }[];
    };
    const those = [...resources, ...configMapGenerator.flatMap(({ envs = [] }) => envs)];
    return those.map((name) => join(dirname(file), name)).filter((name) => /\.(yaml|env)$/.test(name));
  });
  expect(named.toSorted()).toEqual(files.filter((file) => !kustomizations.includes(file)).toSorted());
  for (const file of files.filter((name) => name.endsWith('.yaml'))) {
    const documents = parseAllDocuments(readFileSync(join(FOLDER, file), 'utf8'), { strict: true });
    for (const { errors } of documents) expect([file, errors]).toEqual([file, []]);
  }
});

const installations = VARIANTS.map(
  (parts) => [[...parts.resources, ...(parts.components ?? [])].join(' + '), parts] as const,
);

(hasKustomize ? describe : describe.skip)('kubectl kustomize', () => {
  it('builds docker/k8s itself as base and worker', () => {
    const kinds = (manifests: readonly { readonly kind: string }[]) => manifests.map(({ kind }) => kind).toSorted();
    expect(kinds(kubectlKustomize(FOLDER))).toEqual(kinds(install(PLAIN).manifests));
  });

  it('writes only fields that Kubernetes and the operators know', () => {
    const all = VARIANTS.flatMap((parts) => install(parts).manifests);
    const distinct = [...new Map(all.map((manifest) => [JSON.stringify(manifest), manifest])).values()];
    const mistaken = { ...distinct.find(({ kind }) => kind === 'Service')!, spec: { selectors: {} } };
    expect(fieldFaults([...distinct, mistaken])).toEqual([expect.stringContaining('does not exist in type')]);
    const custom = distinct.filter((manifest) => !isBuiltIn(manifest));
    expect(custom.flatMap((manifest) => customFaults(manifest))).toEqual([]);
  });
});

(hasKustomize ? describe : describe.skip).each(installations)('%s', (_name, parts) => {
  it('stays in the namespace, and refers only to what is there', () => {
    const { manifests, configuration, templates } = install(parts);
    const namespaces = manifests.filter(({ kind }) => kind !== 'Namespace').map(({ metadata }) => metadata.namespace);
    expect(new Set(namespaces)).toEqual(new Set(['mailvet']));
    expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    const secret = /(?<!PUBLIC_)URL|SECRET|TOKEN|PASSWORD/;
    expect(Object.keys(configuration.data).filter((name) => secret.test(name))).toEqual([]);
    const sources = templates.flatMap(({ spec }) => spec.containers[0].envFrom);
    const configMaps = sources.flatMap(({ configMapRef }) => configMapRef?.name ?? []);
    expect(new Set(configMaps)).toEqual(new Set([configuration.metadata.name]));
    for (const { secretRef } of sources) expect(secretRef?.name ?? 'mailvet').toMatch(/^mailvet(-egress-[ab])?$/);
  });

  it('runs the one image in every pod, without rights', () => {
    const { templates } = install(parts);
    for (const { spec } of templates) {
      expect(spec).toMatchObject({
        serviceAccountName: 'mailvet',
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(spec.containers).toHaveLength(1);
      expect(spec.containers[0]).toMatchObject({
        image: 'registry.example.com/mailvet:0.1.0',
        resources: { limits: { memory: expect.stringMatching(/^\d+Mi$/) } },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
      });
    }
    const commands = new Set(templates.map(({ spec }) => spec.containers[0].args.join(' ')));
    expect([...commands].sort()).toEqual([
      'node dist/cli migrate',
      'node dist/console',
      'node dist/main',
      'node dist/worker',
    ]);
  });

  it('sets only variables that some process reads, to valid values', () => {
    const installation = install(parts);
    const roles = Object.values(ROLE_OF);
    for (const template of installation.templates) {
      const set = installation.environmentOf(template);
      const own = Object.keys(set).filter((name) => !name.startsWith('OTEL_'));
      expect(own.filter((name) => !roles.some((role) => variables.get(name)?.readBy.includes(role)))).toEqual([]);
      expect(() => loadConfig(configRoleOf(roleOf(template)), { ...set, ...SECRETS })).not.toThrow();
    }
  });

  it('selects pods by their labels, each Deployment its own', () => {
    const installation = install(parts);
    const deployments = installation.all('Deployment');
    const pods = deployments.map(({ spec }) => spec.template.metadata.labels);
    for (const { spec } of deployments) {
      expect(pods.filter((labels) => isSubset(spec.selector.matchLabels, labels))).toEqual([
        spec.template.metadata.labels,
      ]);
      for (const { labelSelector } of spec.template.spec.topologySpreadConstraints ?? []) {
        expect(isSubset(labelSelector.matchLabels, spec.template.metadata.labels)).toBe(true);
      }
    }
    const budgets = installation.all('PodDisruptionBudget').map(({ spec }) => spec.selector.matchLabels);
    expect(pods.map((labels) => budgets.filter((budget) => isSubset(budget, labels)).length)).toEqual(
      pods.map(() => 1),
    );
    for (const { spec } of installation.all('Service')) {
      const selected = deployments.filter((one) => isSubset(spec.selector, one.spec.template.metadata.labels));
      expect(selected.length).toBeGreaterThan(0);
      for (const { targetPort } of spec.ports) {
        for (const one of selected) expect(portsOf(one)).toHaveProperty(targetPort);
      }
    }
  });

  it('has replicas or one autoscaler for each Deployment', () => {
    const installation = install(parts);
    const scaled = [...installation.all('HorizontalPodAutoscaler'), ...installation.all('ScaledObject')].map(
      ({ spec }) => spec.scaleTargetRef.name,
    );
    const fixed = installation.all('Deployment').filter(({ spec }) => spec.replicas !== undefined);
    const names = installation.all('Deployment').map(({ metadata: { name } }) => name);
    expect([...scaled, ...fixed.map(({ metadata: { name } }) => name)].toSorted()).toEqual(names.toSorted());
    for (const { spec } of fixed) expect(spec.replicas).toBeGreaterThan(1);
  });

  it('serves every queue, and maintenance in every worker', () => {
    const installation = install(parts);
    const served = installation.workers.map((worker) => queuesOf(worker));
    expect(new Set(served.flat())).toEqual(new Set(QUEUE_NAMES));
    for (const queues of served) expect(queues).toContain('maintenance');
  });

  it('lets a worker end its probes, and every process stop by itself', () => {
    const installation = install(parts);
    for (const { spec } of installation.all('Deployment')) {
      const set = installation.environmentOf(spec.template);
      const of = (name: string): number => Number(set[name] ?? defaultOf(name));
      const seconds = spec.template.spec.terminationGracePeriodSeconds ?? 30;
      const isWorker = roleOf(spec.template) === 'worker';
      expect(seconds * 1000).toBeGreaterThan(of('SHUTDOWN_GRACE_MS') + (isWorker ? 0 : of('SHUTDOWN_DELAY_MS')));
      // It gives up the last jobs two seconds before the end.
      if (isWorker) expect(of('SHUTDOWN_GRACE_MS') - 2000).toBeGreaterThan(of('PROBE_DEADLINE_MS'));
    }
  });

  it('scales workers by metrics that exist, of the queues that they serve', () => {
    const installation = install(parts);
    const asked = [
      ...installation.all('HorizontalPodAutoscaler').flatMap(({ spec }) => {
        const metrics = spec.metrics.flatMap(({ external }) => external?.metric ?? []);
        return metrics.map(({ name, selector }) => ({ of: spec.scaleTargetRef.name, name, ...selector.matchLabels }));
      }),
      ...installation.all('ScaledObject').flatMap(({ spec }) =>
        spec.triggers.map(({ metadata: { valueLocation, url } }) => {
          expect(services()).toContain(url);
          const [, name = '', labels = ''] = /^(\w+)\{(.*)\}$/.exec(valueLocation) ?? [];
          const chosen = Object.fromEntries(
            [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
          );
          return { of: spec.scaleTargetRef.name, name, ...(chosen as Readonly<Record<string, string>>) };
        }),
      ),
    ] as readonly { readonly of: string; readonly name: string; readonly queue?: string; readonly state?: string }[];
    const source = readFileSync(resolve(ROOT, 'src/platform/queues/queue-metrics.ts'), 'utf8');
    for (const { of, name, queue, state } of asked) {
      expect(source).toContain(`'${name}'`);
      if (state !== undefined) expect(source).toContain(`state: '${state}'`);
      const worker = installation.workers.find(({ metadata }) => metadata.name === of);
      expect(queuesOf(worker!)).toContain(queue);
    }
    for (const { spec } of installation.all('ScaledObject')) {
      const worker = installation.workers.find(({ metadata }) => metadata.name === spec.scaleTargetRef.name)!;
      const byQueue = asked
        .filter(({ of }) => of === worker.metadata.name)
        .map(({ queue, state }) => `${queue} ${state ?? 'age'}`);
      const work = queuesOf(worker).filter((queue) => queue !== 'maintenance');
      expect(byQueue.toSorted()).toEqual(work.flatMap((queue) => [`${queue} age`, `${queue} waiting`]).toSorted());
    }

    function services(): readonly string[] {
      return installation
        .all('Service')
        .flatMap(({ metadata: { name, namespace }, spec }) =>
          spec.ports.map(({ port }) => `http://${name}.${namespace}:${port}/metrics`),
        );
    }
  });
});

(hasKustomize ? describe : describe.skip)('docker/k8s', () => {
  it('probes and scrapes the ports that the processes serve', () => {
    const installation = install(PLAIN);
    const PORTS = {
      api: { http: 'PORT', metrics: 'METRICS_PORT' },
      console: { http: 'CONSOLE_PORT', metrics: 'CONSOLE_METRICS_PORT' },
      worker: { metrics: 'WORKER_PORT' },
    } as const;
    for (const deployment of installation.all('Deployment')) {
      const { template } = deployment.spec;
      const set = installation.environmentOf(template);
      const expected = Object.entries(PORTS[roleOf(template) as keyof typeof PORTS]).map(([name, variable]) => [
        name,
        Number(set[variable] ?? defaultOf(variable)),
      ]);
      expect(portsOf(deployment)).toEqual(Object.fromEntries(expected));
      // Callers do not stand in line before these.
      const [{ startupProbe, livenessProbe, readinessProbe }] = template.spec.containers;
      expect(startupProbe?.httpGet).toEqual({ path: '/health/startup', port: 'metrics' });
      expect(livenessProbe?.httpGet).toEqual({ path: '/health/live', port: 'metrics' });
      expect(readinessProbe?.httpGet).toEqual({ path: '/health/ready', port: 'metrics' });
    }
  });

  it('rolls the pods when a setting changes, and leaves the migration alone', () => {
    const before = install(PLAIN);
    const after = install({ ...PLAIN, settings: ['LOG_LEVEL=debug'] });
    for (const [i, deployment] of after.all('Deployment').entries()) {
      expect(deployment.spec.template).not.toEqual(before.all('Deployment')[i]?.spec.template);
    }
    expect(after.all('Job')).toEqual(before.all('Job'));
  });

  it('gives the ingress the hosts of PUBLIC_URL and CONSOLE_ORIGIN, and the size of the largest body', () => {
    const { configuration, ...installation } = withConfiguration(install({ ...PLAIN, components: ['ingress'] }));
    const hosts = { 'mailvet-api': 'PUBLIC_URL', 'mailvet-console': 'CONSOLE_ORIGIN' } as const;
    for (const { spec, metadata } of installation.ingresses) {
      const [{ host, http }] = spec.rules as [(typeof spec.rules)[0]];
      const service = http.paths[0]?.backend.service.name as keyof typeof hosts;
      expect(`https://${host}`).toBe(configuration[hosts[service]]);
      expect(spec.tls[0]?.hosts).toEqual([host]);
      const size = metadata.annotations['nginx.ingress.kubernetes.io/proxy-body-size'];
      expect(size).toBe(`${SUBMIT_BODY_LIMIT / 1024 / 1024}m`);
    }
    expect(installation.ingresses).toHaveLength(2);
  });

  it('lets pods reach nothing but their servers, and the API and workers mail hosts', () => {
    const policies = install(PLAIN).all('NetworkPolicy');
    const closed = policies.find(({ spec }) => Object.keys(spec.podSelector).length === 0);
    expect(closed?.spec).toMatchObject({ policyTypes: ['Ingress', 'Egress'] });
    expect(closed?.spec.egress).toBeUndefined();
    const servers = ['anywhere TCP 53', 'anywhere UDP 53'];
    const stores = ['network TCP 26379', 'network TCP 3306', 'network TCP 6379'];
    expect(reach(policies, 'api')).toEqual([...servers, 'internet TCP 25', 'internet TCP 443', ...stores]);
    expect(reach(policies, 'worker')).toEqual(reach(policies, 'api'));
    expect(reach(policies, 'migrate')).toEqual([...servers, ...stores]);
    expect(reach(policies, 'console')).toEqual([...servers, ...stores]);
    const blocks = policies
      .flatMap(({ spec }) => spec.egress ?? [])
      .flatMap(({ to = [] }) => to.flatMap((one) => one.ipBlock ?? []));
    const except = blocks.filter(({ cidr }) => cidr.endsWith('/0')).flatMap((block) => block.except ?? []);
    expect(except).toEqual(expect.arrayContaining(['10.0.0.0/8', '169.254.0.0/16', '192.168.0.0/16', 'fc00::/7']));
  });

  it.each([
    ['tracing', { ...PLAIN, components: ['tracing'] }, 'console', 'observability TCP 4318'],
    ['pools/by-egress', { resources: ['base', 'pools/by-egress'] }, 'worker', 'network TCP 1080'],
  ])('%s opens the way out that it needs', (_name, parts, component, way) => {
    const policies = install(parts).all('NetworkPolicy');
    expect(reach(policies, component)).toEqual(
      expect.arrayContaining([...reach(install(PLAIN).all('NetworkPolicy'), component), way]),
    );
    expect(reach(policies, component)).toHaveLength(reach(install(PLAIN).all('NetworkPolicy'), component).length + 1);
  });

  it('lets KEDA in where it scales the workers', () => {
    const policies = install(POOLS).all('NetworkPolicy');
    const froms = policies
      .filter(({ spec }) => selects(spec.podSelector, 'worker'))
      .flatMap(({ spec }) => spec.ingress ?? []);
    const namespaces = froms.flatMap(({ from = [] }) =>
      from.map((one) => one.namespaceSelector?.matchLabels['kubernetes.io/metadata.name']),
    );
    expect(new Set(namespaces)).toEqual(new Set(['keda', 'monitoring']));
  });
});

function withConfiguration(installation: ReturnType<typeof install>) {
  return { configuration: installation.configuration.data, ingresses: installation.all('Ingress') };
}

function portsOf({ spec }: Deployment): Readonly<Record<string, number>> {
  const ports = spec.template.spec.containers[0].ports ?? [];
  return Object.fromEntries(ports.map(({ name, containerPort }) => [name, containerPort]));
}

function queuesOf({ spec }: Deployment): readonly string[] {
  const set = spec.template.spec.containers[0].env?.find(({ name }) => name === 'WORKER_QUEUES')?.value;
  return (set ?? defaultOf('WORKER_QUEUES')).split(',');
}

/** Ways out of pods of a component: where, protocol and port. */
function reach(policies: readonly NetworkPolicy[], component: string): readonly string[] {
  return policies
    .filter(({ spec }) => selects(spec.podSelector, component))
    .flatMap(({ spec }) => spec.egress ?? [])
    .flatMap(({ to, ports }) => ports.map(({ port, protocol }) => `${placeOf(to)} ${protocol} ${port}`))
    .toSorted();
}

type Egress = NonNullable<NetworkPolicy['spec']['egress']>[0];
function placeOf(to: Egress['to']): string {
  if (to === undefined) return 'anywhere';
  const namespace = to[0]?.namespaceSelector?.matchLabels['kubernetes.io/metadata.name'];
  return namespace ?? (to.some(({ ipBlock }) => ipBlock?.cidr.endsWith('/0') === true) ? 'internet' : 'network');
}

function selects(podSelector: NetworkPolicy['spec']['podSelector'], component: string): boolean {
  const pod = { 'app.kubernetes.io/name': 'mailvet', 'app.kubernetes.io/component': component };
  return (
    isSubset(podSelector.matchLabels ?? {}, pod) &&
    (podSelector.matchExpressions ?? []).every(({ key, values }) => values.includes(pod[key as keyof typeof pod]))
  );
}

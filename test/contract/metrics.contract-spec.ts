import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { parse } from 'yaml';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { QUEUE_NAMES } from '../../src/platform/config/queue-names.js';
import { createLog } from '../../src/platform/logging/log.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { AllQueues } from '../../src/platform/queues/all-queues.js';
import { createApi } from '../../src/roles/api.js';
import { createConsole } from '../../src/roles/console.js';
import { createWorker } from '../../src/roles/worker.js';

const ROOT = resolve(__dirname, '../..');
const read = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8');

interface Series {
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}
interface MetricShape {
  readonly name: string;
  readonly type: string;
  readonly labelNames: readonly string[];
  /** Of a counter, when the process starts. */
  readonly series: readonly Series[];
}

const nobody = {
  DATABASE_URL: 'mysql://nobody@127.0.0.1:1/nothing',
  REDIS_URL: 'redis://127.0.0.1:1',
  SMTP_CHECK_DOMAINS: 'none',
};

/** Every metric of a role, whether it has a value yet or not. */
async function metricsOf(creating: Promise<NestFastifyApplication>): Promise<MetricShape[]> {
  const app = await creating;
  try {
    // What they are stands fast when the application is made: nothing is asked for it.
    const registered = app.get(Metrics).registry.getMetricsAsArray() as unknown as (MetricShape & {
      readonly get: () => Promise<{ readonly values: readonly Series[] }>;
    })[];
    const described = await Promise.all(
      registered.map(async (metric): Promise<MetricShape> => {
        const { name, labelNames, type } = metric;
        const series = type === 'counter' ? (await metric.get()).values : [];
        return { name, type: type ?? 'gauge', labelNames: labelNames ?? [], series };
      }),
    );
    return described;
  } finally {
    await app.close();
  }
}

let api: MetricShape[];
let worker: MetricShape[];
let ofConsole: MetricShape[];
let shapes: Map<string, MetricShape>;

beforeAll(async () => {
  const log = createLog('silent');
  api = await metricsOf(createApi(loadConfig('api', nobody), log));
  worker = await metricsOf(createWorker(loadConfig('worker', nobody), log));
  ofConsole = await metricsOf(createConsole(loadConfig('console', nobody), log));
  shapes = new Map([...api, ...worker, ...ofConsole].map((shape) => [shape.name, shape]));
});

it.each(QUEUE_NAMES)('a worker of %s alone shows every queue, for autoscalers that ask any worker', async (queue) => {
  const app = await createWorker(loadConfig('worker', { ...nobody, WORKER_QUEUES: queue }), createLog('silent'));
  try {
    const shown = app.get(AllQueues, { strict: false }).list();
    expect(shown.map(({ name }) => name)).toEqual([...QUEUE_NAMES]);
  } finally {
    await app.close();
  }
});

const own = ({ name }: { readonly name: string }): boolean => name.startsWith('mailvet_');

describe('docs/metrics.md', () => {
  const rows = [...read('docs/metrics.md').matchAll(/^\| `(mailvet_\w+)` \| (\w+) \|([^|]*)\| ([AWC ]+) \|/gm)].map(
    ([, name = '', type = '', labels = '', roles = '']) => ({
      name,
      type,
      labelNames: [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label),
      roles: roles.trim(),
    }),
  );

  it('has exactly one row for each metric of the product', () => {
    const expected = [...shapes.values()].filter(own).map(({ name, type, labelNames }) => {
      const shownBy = (those: readonly MetricShape[]): boolean => those.some((one) => one.name === name);
      const roles = [
        ...(shownBy(api) ? ['A'] : []),
        ...(shownBy(worker) ? ['W'] : []),
        ...(shownBy(ofConsole) ? ['C'] : []),
      ].join(' ');
      return { name, type, labelNames: [...labelNames], roles };
    });
    const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);
    expect(rows.toSorted(byName)).toEqual(expected.toSorted(byName));
  });

  it('has an action for each alert', () => {
    const headings = [...read('docs/metrics.md').matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
    expect(headings).toEqual(alerts.map(({ alert }) => alert));
    for (const { alert, annotations } of alerts) {
      expect(annotations.runbook).toBe(`docs/metrics.md#${alert.toLowerCase()}`);
    }
  });
});

it('metric names follow the conventions of Prometheus', () => {
  for (const { name, type } of [...shapes.values()].filter(own)) {
    expect(name).toMatch(/^mailvet(_[a-z0-9]+)+$/);
    expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
  }
});

/** Of an alert rule. */
interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}
const { groups } = parse(read('docker/prometheus/alerts.yml')) as { groups: { rules: Alert[] }[] };
const alerts = groups.flatMap(({ rules }) => rules);

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly refId: string; readonly expr: string; readonly legendFormat: string }[];
  readonly fieldConfig?: {
    readonly defaults: { readonly unit: string };
    readonly overrides: readonly {
      readonly matcher: { readonly options: string };
      readonly properties: readonly { readonly id: string; readonly value: string }[];
    }[];
  };
}
const { panels, templating } = JSON.parse(read('docker/grafana/mailvet.json')) as {
  panels: Panel[];
  templating: { list: { name: string; query: string | { query: string } }[] };
};
const targets = panels.flatMap(({ targets: asked = [] }) => asked);

/** What Prometheus adds of the target it asked, and what its functions need. */
const GIVEN = new Set(['namespace', 'instance', 'job', 'le']);

/** Metrics that an expression names, each with the labels it chooses and groups by. */
function named(expr: string): { readonly name: string; readonly labels: readonly string[] }[] {
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/,\s*/));
  const bare = expr.replaceAll(/"[^"]*"/g, '""');
  return [...bare.matchAll(/\b((?:mailvet|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, name = '', chosen = '']) => ({
      name,
      labels: [...[...chosen.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label), ...grouped],
    }),
  );
}

function shapeOf(name: string): MetricShape | undefined {
  const base = shapes.get(name.replace(/_(bucket|sum|count)$/, ''));
  return base?.type === 'histogram' && base.name !== name ? base : shapes.get(name);
}

describe.each([
  ['docker/prometheus/alerts.yml', alerts.map(({ alert, expr }) => [alert, expr] as const)],
  ['docker/grafana/mailvet.json', targets.map(({ expr }) => [expr, expr] as const)],
])('%s', (_file, asked) => {
  it.each(asked)('%s names existing metrics and labels', (_name, expr) => {
    const found = named(expr);
    expect(found.length).toBeGreaterThan(0);
    for (const { name, labels } of found) {
      const shape = shapeOf(name);
      expect([name, shape?.name]).toEqual([name, expect.any(String)]);
      const missing = labels.filter((label) => !GIVEN.has(label) && !shape?.labelNames.includes(label));
      expect([name, missing]).toEqual([name, []]);
    }
  });
});

/** What an expression chooses of a counter, label by label. */
function choicesOf(expr: string): { readonly name: string; readonly chosen: readonly (readonly [string, RegExp])[] }[] {
  return [...expr.matchAll(/\b(mailvet_\w+_total)(?:\{([^}]*)\})?/g)].map(([, name = '', matchers = '']) => ({
    name,
    chosen: [...matchers.matchAll(/(\w+)\s*(?:=~|=)\s*"([^"]*)"/g)].map(
      ([, label = '', value = '']) => [label, new RegExp(`^(?:${value})$`)] as const,
    ),
  }));
}

// Routes are declared later: the unit test of RequestMetrics has their counter.
const counted = alerts
  .flatMap(({ alert, expr }) => choicesOf(expr).map((choice) => ({ alert, ...choice })))
  .filter(({ name }) => name !== 'mailvet_http_requests_total');

it.each(counted)('a process starts with the series of $name that $alert counts, at 0', ({ name, chosen }) => {
  for (const metrics of [api, worker, ofConsole]) {
    const shape = metrics.find((one) => one.name === name);
    if (shape === undefined) continue;
    const series = shape.series.filter(({ labels }) =>
      chosen.every(([label, value]) => value.test(`${labels[label]}`)),
    );
    expect(series.length).toBeGreaterThan(0);
    expect(series.filter(({ value }) => value !== 0)).toEqual([]);
  }
});

it('the dashboard places each panel, and its legends use labels that queries keep', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  for (const { expr, legendFormat } of targets) {
    const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/,\s*/));
    const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label ?? '');
    const kept = grouped.length > 0 ? new Set(grouped) : GIVEN;
    expect([expr, shown.filter((label) => !kept.has(label))]).toEqual([expr, []]);
  }
});

it('the dashboard is for chosen namespaces and instances', () => {
  expect(templating.list.map(({ name }) => name)).toEqual(['datasource', 'namespace', 'instance']);
  const chosen = /namespace=~"\$namespace", instance=~"\$instance"\}/g;
  for (const { expr } of targets) expect([expr, expr.match(chosen)?.length]).toEqual([expr, named(expr).length]);
});

it('the dashboard shows each value in its unit', () => {
  for (const { title, targets: asked = [], fieldConfig } of panels) {
    for (const { refId, expr } of asked) {
      const override = fieldConfig?.overrides.find(({ matcher }) => matcher.options === refId)?.properties;
      const unit = override?.find(({ id }) => id === 'unit')?.value ?? fieldConfig?.defaults.unit;
      expect([title, refId, unit]).toEqual([title, refId, expect.stringMatching(unitOf(expr))]);
    }
  }
});

function unitOf(expr: string): RegExp {
  if (/\/ sum\(|process_cpu_seconds/.test(expr)) return /^percentunit$/;
  if (/\brate\(/.test(expr) && !expr.startsWith('histogram_quantile')) return /^(reqps|ops)$/;
  if (expr.includes('_seconds')) return /^s$/;
  return expr.includes('_bytes') ? /^bytes$/ : /^short$/;
}

it('the dashboard shows every metric of the product except build information', () => {
  const shown = new Set(targets.flatMap(({ expr }) => named(expr).map(({ name }) => shapeOf(name)?.name)));
  const ELSEWHERE = new Set([
    'mailvet_build_info',
    'mailvet_shipped_list_age_seconds',
    'mailvet_ledger_mismatches_total',
    'mailvet_ledger_audit_age_seconds',
    'mailvet_list_entries',
    'mailvet_list_refreshes_total',
    'mailvet_list_refusals_total',
    'mailvet_queue_exceptions_total',
    'mailvet_pending_probe_turns_total',
    'mailvet_domains_due',
    'mailvet_dns_blacklist_usable',
  ]);
  expect([...shapes.keys()].filter((name) => own({ name }) && !shown.has(name) && !ELSEWHERE.has(name))).toEqual([]);
});

import { defaultInternet, SOURCES } from '../../../simulator/internet.js';
import { productSettings } from '../../../simulator/product-settings.js';
import { project, type Projection, type Question } from '../../../simulator/projection.js';
import { duration, percent, short } from '../../../simulator/report.js';
import { simulatedHost } from '../../../simulator/world.js';
import { limitsOf } from '../../../src/platform/politeness/limits.js';
import { grouped, markdownTable } from './markdown.js';

const settings = productSettings();
const internet = defaultInternet(settings.connectTimeoutMs);

/** Addresses, and ways out. */
const SIZES: readonly (readonly [addresses: number, egress: number])[] = [
  [1e4, 1],
  [1e6, 4],
  [1e7, 10],
  [1e8, 40],
  [1e9, 400],
  [4e9, 400],
];

function projected(addresses: number, egress: number): Projection {
  const { concurrency } = settings;
  const question: Question = {
    addresses,
    egress,
    days: 30,
    workers: null,
    concurrency,
    jobsAtOnce: egress,
    probed: 0.7,
  };
  return project(question, internet, settings);
}

export function shares(): string {
  const rows = internet.classes.map(({ name, share, host, domains }) => {
    const provider = host === null ? null : simulatedHost(host, { roundTripMs: 0 }).provider;
    const { maxConnections, recipientsPerMinute } = limitsOf(provider, settings.limits);
    const onDomain = typeof domains === 'number' ? 'many' : domains.perDomain;
    return [name, percent(share), recipientsPerMinute, maxConnections, onDomain];
  });
  return markdownTable(
    ['mail hosts', 'share', 'recipients a minute', 'connections', 'addresses of a job on a domain'],
    rows,
  );
}

export function sources(): string {
  return SOURCES.map((source) => `- ${source}`).join('\n');
}

export function sizes(): string {
  const rows = SIZES.map(([addresses, egress]) => {
    const { seconds, connections, recipients, workers, cores, egressForDays } = projected(addresses, egress);
    return [
      grouped(addresses),
      egress,
      duration(seconds),
      grouped(twoDigits(connections)),
      grouped(twoDigits(recipients)),
      workers,
      short(cores),
      egressForDays,
    ];
  });
  const heads = [
    'addresses',
    'ways out',
    'time',
    'connections',
    'RCPT',
    'workers',
    'processors',
    'ways out for 30 days',
  ];
  return markdownTable(heads, rows);
}

export function limits(): string {
  const { uses } = projected(1e9, 400);
  return markdownTable(
    ['limit', 'used'],
    uses.slice(0, 8).map(({ what, used }) => [what, percent(used)]),
  );
}

function twoDigits(count: number): number {
  return Number(count.toPrecision(2));
}

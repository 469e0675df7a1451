import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

/** Measured on two shared and busy cores: a dedicated machine does better. `from` and `what` locate the figure in results. */
const figures = JSON.parse(readFileSync(join(root, 'bench', 'measured.json'), 'utf8'));

/** Assumptions that you can change; then run the script again. */
const assumptions = {
  probed: {
    value: 0.7,
    unit: '',
    what: 'share of calls that need a probe; the others are on record, or settled by DNS and lists',
  },
  peak: { value: 5, unit: '', what: 'busiest hour beside the average one' },
  utilisation: { value: 0.5, unit: '', what: 'of a processor at the busiest hour' },
  rowOctets: {
    value: 900,
    unit: 'octets',
    what: 'in MySQL for each call, indexes included: record, ledger, job entry',
  },
  keptMonths: {
    value: 12,
    unit: 'months',
    what: 'how long rows are kept; the record goes after four, the ledger stays',
  },
  wireOctets: { value: 4000, unit: 'octets', what: 'sent out for each call: DNS, SMTP, the answer' },
  largestProvider: { value: 0.3, unit: '', what: 'share of probed addresses at the provider with the most of them' },
  recipientsPerMinute: { value: 60, unit: '1/min', what: 'asked of one provider from one egress' },
  vcpuHour: { value: 0.04, unit: '$', what: 'price of a virtual processor with 4 GB for an hour' },
  storageGbMonth: {
    value: 0.25,
    unit: '$',
    what: 'price of a gigabyte of database storage with its backup for a month',
  },
  egressGb: { value: 0.09, unit: '$', what: 'price of a gigabyte sent out' },
  addressMonth: { value: 10, unit: '$', what: 'price of a source address with a small machine or gateway for a month' },
};

/** Calls per month. */
const volumes = [1e6, 1e7, 1e8, 1e9];

const HOURS = 730;
/** For two of everything, at any load: API, worker, MySQL with a replica, Redis with a replica. */
const LEAST_VCPUS = { api: 1, worker: 1, database: 2 };

/**
 * What a month of so many calls takes.
 * @param {number} calls
 * @public for the tests
 */
export function monthOf(calls) {
  const f = valuesOf(figures);
  const a = valuesOf(assumptions);
  const peakPerSecond = (calls / (HOURS * 3600)) * a.peak;
  const vcpus = (ms, least) => Math.max(least, (peakPerSecond * ms) / 1000 / a.utilisation);
  const api = vcpus(f.apiMs, LEAST_VCPUS.api);
  const worker = vcpus(f.probeMs * a.probed, LEAST_VCPUS.worker);
  const database = vcpus(f.databaseMs, LEAST_VCPUS.database);
  const perAddress = (a.recipientsPerMinute * 60 * HOURS) / a.peak;
  const addresses = Math.max(1, Math.ceil((calls * a.probed * a.largestProvider) / perAddress));
  const storedGb = (calls * a.rowOctets * a.keptMonths) / 1e9;
  const dollars =
    (api + worker + database) * HOURS * a.vcpuHour +
    storedGb * a.storageGbMonth +
    ((calls * a.wireOctets) / 1e9) * a.egressGb +
    addresses * a.addressMonth;
  return {
    calls,
    peakPerSecond,
    api,
    worker,
    database,
    addresses,
    storedGb,
    dollars,
    perMillion: (dollars / calls) * 1e6,
  };
}

/** The tables of docs/scale.md, by the name in their markers. */
export function costTables() {
  const row = ([, { value, unit, what, from }]) => `| ${what} | ${value} ${unit} |${from ? ` ${from} |` : ''}`;
  return {
    figures: ['| measured | | by |', '|---|---|---|', ...Object.entries(figures).map(row)].join('\n'),
    assumptions: ['| assumed | |', '|---|---|', ...Object.entries(assumptions).map(row)].join('\n'),
    months: [
      '| calls a month | at the peak | API | workers | MySQL | source addresses | rows of a year | a month | a million |',
      '|---|---|---|---|---|---|---|---|---|',
      ...volumes.map((calls) => monthRow(monthOf(calls))),
    ].join('\n'),
  };
}

function monthRow({ calls, peakPerSecond, api, worker, database, addresses, storedGb, dollars, perMillion }) {
  const vcpus = (count) => `${round(count)} vCPU`;
  return `| ${calls.toLocaleString('en')} | ${round(peakPerSecond)}/s | ${vcpus(api)} | ${vcpus(worker)} | ${vcpus(database)} | ${addresses.toLocaleString('en')} | ${round(storedGb).toLocaleString('en')} GB | $${Math.round(dollars).toLocaleString('en')} | $${round(perMillion)} |`;
}

function valuesOf(table) {
  return Object.fromEntries(Object.entries(table).map(([name, { value }]) => [name, value]));
}

/** Two significant digits. */
function round(value) {
  return Number(value.toPrecision(2));
}

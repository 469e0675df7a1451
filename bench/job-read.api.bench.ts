/** Reading the 10,000 results of a job, compared with `JSON.stringify` of an array of the same rows. */
import { createConnection } from 'mysql2/promise';
import { parseAddress } from '../src/engine/address/parse-address.js';
import { joinResults, RESULTS_TOGETHER } from '../src/jobs/joined-results.js';
import { idToBytes, newId } from '../src/platform/ids/uuid.js';
import { sandboxResult } from '../src/verify/sandbox/sandbox-result.js';
import { makeAccounts } from './lib/bench-accounts.js';
import { startChild } from './lib/child.js';
import { cpuSeconds } from './lib/cores.js';
import { report } from './lib/figure.js';
import { forgetPeak, peakMb, residentMb } from './lib/memory.js';
import { JOBS_ALONE, startOwnService, type OwnService } from './lib/own-service.js';
import { inTurns } from './lib/rounds.js';

const RESULTS = 10_000;
/** Sequential reads per round, because the system counts CPU time in steps of 10 ms. */
const READS = 8;
const ROUNDS = 3;
/** Results of a warm-up answer; after the warm-up both sides have compiled their code. */
const SMALL = 50;
const SMALL_READS = 5;

async function main(): Promise<void> {
  const service = await startOwnService(JOBS_ALONE);
  const naive = await startChild<string>('naive-job-server', service.databaseUrl);
  try {
    const [account] = await makeAccounts(service.databaseUrl, 1);
    const [large, small] = [await storeJob(service, account!, RESULTS), await storeJob(service, account!, SMALL)];
    const headers = { 'x-api-key': account!.key };
    const stream = new Reader(service.api, headers, (id) => `${service.url}/v1/verify/jobs/${id}`);
    const array = new Reader(naive.pid, {}, (id) => `${naive.told}/${id}`);
    for (const reader of [stream, array]) await reader.warmUp(small);
    const grown = { stream: await stream.grownMb(large), array: await array.grownMb(large) };
    const cpu = await inTurns({ stream: () => stream.cpuMs(large), array: () => array.cpuMs(large) }, ROUNDS);
    const apiMb = peakMb(service.api);
    report([
      {
        what: `reading ${RESULTS} results of a job: processor time`,
        unit: 'ms',
        rounds: cpu.stream,
        baseline: { what: 'an array and JSON.stringify', rounds: cpu.array },
        target: { atMost: 0.55 },
      },
      {
        what: 'what the process grows by for the first of them',
        unit: 'MB',
        rounds: [grown.stream],
        baseline: { what: 'an array and JSON.stringify', rounds: [grown.array] },
        target: { atMost: 0.25 },
      },
      {
        what: 'memory of the API while it streams them',
        unit: 'MB',
        rounds: [apiMb],
        baseline: { what: 'before', rounds: [stream.beforeMb] },
        atMost: 250,
      },
    ]);
  } finally {
    await naive.stop();
    await service.stop();
  }
}

/** One of the two compared servers. */
class Reader {
  beforeMb = 0;

  constructor(
    private readonly pid: number | undefined,
    private readonly headers: Readonly<Record<string, string>>,
    private readonly urlOf: (id: string) => string,
  ) {}

  /** Peak memory of the first large answer; later ones reuse its memory. */
  async grownMb(id: string): Promise<number> {
    forgetPeak(this.pid);
    this.beforeMb = residentMb(this.pid);
    await this.read(id, RESULTS);
    return Math.max(0, peakMb(this.pid) - this.beforeMb);
  }

  async warmUp(small: string): Promise<void> {
    for (let nth = 0; nth < SMALL_READS; nth++) await this.read(small, SMALL);
  }

  /** CPU time of one answer. */
  async cpuMs(id: string): Promise<number> {
    const before = cpuSeconds(this.pid);
    for (let nth = 0; nth < READS; nth++) await this.read(id, RESULTS);
    return ((cpuSeconds(this.pid) - before) / READS) * 1000;
  }

  private async read(id: string, count: number): Promise<void> {
    const response = await fetch(this.urlOf(id), { headers: this.headers });
    const { results } = (await response.json()) as { results?: unknown[] };
    if (results?.length !== count) throw new Error(`${response.status} and ${results?.length} results`);
  }
}

/**
 * Inserts a completed job like a worker.
 * @returns its id
 */
async function storeJob(
  { databaseUrl }: OwnService,
  { id: account, keyId }: { readonly id: string; readonly keyId: string },
  results: number,
): Promise<string> {
  const id = newId();
  const connection = await createConnection(databaseUrl);
  await connection.query(
    `INSERT INTO jobs (id, account_id, key_id, sandbox, mode, status, stage, total, done, created_at, completed_at,
        expires_at, touched_at)
      VALUES (?, ?, ?, 0, 'standard', 'completed', 'done', ?, ?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3),
        UTC_TIMESTAMP(3) + INTERVAL 7 DAY, UTC_TIMESTAMP(3))`,
    [idToBytes(id), idToBytes(account), idToBytes(keyId), results, results],
  );
  const entries = Array.from({ length: results }, (_, position) => {
    const sent = `person.${position}@company.example`;
    return { position, sent, result: JSON.stringify(sandboxResult(parseAddress(sent), 'standard')) };
  });
  for (let from = 0; from < results; from += 1000) {
    await connection.query('INSERT INTO job_entries (job_id, position, sent, unit_price) VALUES ?', [
      entries.slice(from, from + 1000).map(({ position, sent }) => [idToBytes(id), position, sent, 1]),
    ]);
  }
  for (let from = 0; from < results; from += RESULTS_TOGETHER) {
    const together = entries.slice(from, from + RESULTS_TOGETHER);
    await connection.query('INSERT INTO job_results (job_id, position, counts, results) VALUES (?, ?, ?, ?)', [
      idToBytes(id),
      from,
      JSON.stringify({ valid: together.length }),
      joinResults(together),
    ]);
  }
  await connection.end();
  return id;
}

void main();

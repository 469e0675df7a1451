import { createConnection } from 'mysql2/promise';
import { ask } from '../support/database-clusters.js';
import type { Product, RunningApi } from '../support/product.js';
import { expectSoundBooks } from '../support/sound-books.js';
import { spentCredits } from '../support/spent-credits.js';
import { waitUntil } from '../support/wait-until.js';

const LANES = 6;

/** What the callers saw. */
export interface LoadReport {
  /** Answers 200: each of them costs a credit. */
  readonly answered: number;
  /** Answers 503: free. */
  readonly refused: number;
  readonly slowestMs: number;
  /** From the first answer 503 to the next answer 200. */
  readonly awayMs: number;
}

export interface Load {
  /** Waits until this many more calls are answered 200. */
  more(calls: number): Promise<void>;
  stop(): Promise<LoadReport>;
}

/** Verifies the addresses again and again, as many callers at once. Any answer but 200 and 503 is an error. */
export function startLoad(api: Pick<RunningApi, 'verify'>, key: string, emails: readonly string[]): Load {
  let [answered, refused, slowestMs, awaySince, awayMs, next] = [0, 0, 0, 0, 0, 0];
  const ending = new AbortController();
  const lane = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      const began = performance.now();
      const { status, body } = await api.verify(key, { email: emails[next++ % emails.length] });
      slowestMs = Math.max(slowestMs, performance.now() - began);
      if (status === 200) {
        answered++;
        if (awaySince > 0) awayMs = Math.max(awayMs, performance.now() - awaySince);
        awaySince = 0;
      } else if (status === 503) {
        refused++;
        awaySince ||= performance.now();
      } else {
        throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
      }
    }
  };
  const lanes = Promise.all(Array.from({ length: LANES }, lane));
  lanes.catch(() => ending.abort());
  return {
    async more(calls) {
      const enough = answered + calls;
      const gone = lanes.catch(() => undefined);
      if (!(await waitUntil(async () => answered >= enough, { ms: 60_000, gone }))) throw new Error('no answers');
    },
    async stop() {
      ending.abort();
      await lanes;
      return { answered, refused, slowestMs: Math.round(slowestMs), awayMs: Math.round(awayMs) };
    },
  };
}

/** The results of a job, once it is completed. */
export async function completedJob(api: RunningApi, key: string, id: string): Promise<Record<string, unknown>[]> {
  const read = async () => {
    const response = await fetch(`${api.url}/v1/verify/jobs/${id}`, { headers: { 'x-api-key': key } });
    const body = (await response.json()) as Record<string, unknown>;
    return body['status'] === 'completed' && body;
  };
  const job = await waitUntil(read, { ms: 90_000, everyMs: 250 });
  if (!job) throw new Error('the job is not completed');
  return job['results'] as Record<string, unknown>[];
}

/** Every answer is paid once, the audit is clean, and all servers that are up have the same balances and ledger. */
export async function expectPaidOnce(
  product: Pick<Product, 'cli'>,
  urls: readonly string[],
  credits: number,
): Promise<void> {
  const connection = await createConnection({ uri: urls[0]! });
  try {
    // Charges whose callers were told 503 are given back in the background.
    await waitUntil(async () => (await spentCredits(connection)) === credits, { ms: 30_000, everyMs: 200 });
    expect(await spentCredits(connection)).toBe(credits);
  } finally {
    await connection.end();
  }
  await expectSoundBooks(product);
  const same = await waitUntil(async () => new Set(await Promise.all(urls.map(contentsOf))).size === 1, { ms: 30_000 });
  if (!same) expect(await Promise.all(urls.map(contentsOf))).toEqual([]);
}

async function contentsOf(url: string): Promise<string> {
  const [ledger] = await ask(
    url,
    `SELECT COUNT(*) AS entries, SUM(CRC32(CONCAT_WS('|', id, HEX(account_id), kind, reference, purchased, gifted))) AS sum
      FROM ledger_entries`,
  );
  const balances = await ask(
    url,
    'SELECT HEX(account_id) AS account, purchased, gifted, free_verifies_used FROM account_balances ORDER BY account_id',
  );
  return JSON.stringify([ledger, balances]);
}

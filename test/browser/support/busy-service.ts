import { createConnection } from 'mysql2/promise';
import { RedisThrottleStore } from '../../../src/platform/politeness/redis-throttle-store.js';
import { throttleKeys } from '../../../src/platform/politeness/throttle-store.js';
import { readyRedis } from '../../support/ready-redis.js';

/** Gives the operator's pages something to show: failed work, an audit of the ledger, a mail host that is left alone. */
export async function keepOperatorBusy({ DATABASE_URL, REDIS_URL }: NodeJS.ProcessEnv): Promise<void> {
  const connection = await createConnection(DATABASE_URL!);
  await connection.query(
    `INSERT INTO failed_jobs (queue, job_id, why, details, failed_at) VALUES
      ('domain-crawl', 'company.example', 'the resolver did not answer within 10 seconds', NULL, UTC_TIMESTAMP(3) - INTERVAL 1 HOUR),
      ('job-batch', '019a2266-72ef-722b-a3c4-1d0c11513d23', 'the connection to the database was lost', NULL, UTC_TIMESTAMP(3))`,
  );
  await connection.query(
    'INSERT INTO ledger_audits (ended_at, accounts, mismatches) VALUES (UTC_TIMESTAMP(3) - INTERVAL 5 HOUR, 212, 0)',
  );
  await connection.end();
  const redis = await readyRedis(REDIS_URL!);
  const store = new RedisThrottleStore(redis);
  for (const domain of ['company.example', 'another-rather-long-name.example']) {
    const keys = throttleKeys('provider:google', 'direct/mx1.example.com', domain);
    const limits = { maxConnections: 10, recipientsPerMinute: 6000 };
    const permit = await store.acquire({ keys, recipients: 1, limits, leaseMs: 10_000 });
    if (permit.kind === 'granted') await permit.release({ kind: 'session_refused', retryAfterSeconds: 1800 });
  }
  redis.disconnect();
}

/** Deferred probes in a worker, compared with the limit that the distance of their mail hosts sets. */
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { DataSource } from 'typeorm';
import { parseAddress } from '../src/engine/address/parse-address.js';
import { parseDatabaseUrl } from '../src/platform/config/database-url.js';
import { dataSourceOptions } from '../src/platform/database/data-source-options.js';
import { QUEUE_PREFIX } from '../src/platform/queues/queue-without-error-log.js';
import { AddressVault } from '../src/verify/address-vault/address-vault.js';
import type { WantedProbe } from '../src/verify/probes/pending-probe.js';
import { PendingProbesRepository } from '../src/verify/probes/pending-probes.repository.js';
import { SMTP_PROBE_QUEUE } from '../src/verify/probes/smtp-probe.queue.js';
import { apiUnderTest } from './lib/api-under-test.js';
import { ROUND_TRIP_MS } from './lib/bench-world.js';
import { report } from './lib/figure.js';
import { startJobLaboratory } from './lib/job-laboratory.js';
import { addressesOf, isOrdinary } from './lib/job-world.js';
import { startOwnService } from './lib/own-service.js';
import { inTurns } from './lib/rounds.js';

const AT_ONCE = 10;
/** Addresses per domain; about 420 domains have ordinary hosts. */
const PER_DOMAIN = 2;
/** Round trips: greeting, EHLO, MAIL with RCPT. The hosts offer PIPELINING. */
const ROUND_TRIPS = 3;
const ROUNDS = 3;
const LOOK_EVERY_MS = 20;
const LONGEST_MS = 60_000;
const SILENCE_MS = 20_000;

async function main(): Promise<void> {
  const laboratory = await startJobLaboratory();
  const service = await startOwnService({
    DNS_SERVERS: laboratory.dnsServer,
    SMTP_PORT: String(laboratory.smtpPort),
    WORKER_QUEUES: 'smtp-probe',
    WORKER_CONCURRENCY: String(AT_ONCE),
  });
  try {
    const probes = await Probes.open(service);
    let list = 0;
    const { deferred } = await inTurns({ deferred: () => probes.perSecond(list++) }, ROUNDS);
    await probes.close();
    const limit = (AT_ONCE / (ROUND_TRIPS * ROUND_TRIP_MS)) * 1000;
    report([
      {
        what: `deferred probes, ${AT_ONCE} at once, mail hosts ${ROUND_TRIP_MS} ms away`,
        unit: '/s',
        rounds: deferred,
        baseline: { what: `${ROUND_TRIPS} round trips each`, rounds: deferred.map(() => limit) },
        target: { atLeast: 0.8 },
      },
    ]);
  } finally {
    await service.stop();
    await laboratory.stop();
  }
}

/** Stores probes like a call, and queues them. */
class Probes {
  private readonly vault = new AddressVault([
    { id: 1, key: (apiUnderTest().environment['ADDRESS_HASH_SECRET'] ?? '').replace(/^1:/, '') },
  ]);
  private readonly rows: PendingProbesRepository;

  private constructor(
    private readonly dataSource: DataSource,
    private readonly redis: Redis,
    private readonly queue: Queue,
  ) {
    this.rows = new PendingProbesRepository(dataSource, this.vault);
  }

  static async open({ databaseUrl, redisUrl }: { databaseUrl: string; redisUrl: string }): Promise<Probes> {
    const target = parseDatabaseUrl(databaseUrl);
    if (target === null) throw new Error('no database');
    const dataSource = await new DataSource(dataSourceOptions(target, SILENCE_MS)).initialize();
    const redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
    return new Probes(dataSource, redis, new Queue(SMTP_PROBE_QUEUE.name, { connection: redis, prefix: QUEUE_PREFIX }));
  }

  async perSecond(list: number): Promise<number> {
    const wanted = addressesOf(list, { perDomain: PER_DOMAIN })
      .filter(isOrdinary)
      .map((email) => this.probeOf(email));
    await this.rows.addProbes(wanted);
    const began = performance.now();
    await this.queue.addBulk(
      wanted.map(({ hash }) => ({
        name: SMTP_PROBE_QUEUE.name,
        data: { hash },
        opts: { jobId: SMTP_PROBE_QUEUE.jobId({ hash }), removeOnComplete: true, removeOnFail: true },
      })),
    );
    await this.allEnded(began + LONGEST_MS);
    const perSecond = (wanted.length / (performance.now() - began)) * 1000;
    await this.check(wanted);
    return perSecond;
  }

  async close(): Promise<void> {
    await this.queue.close();
    this.redis.disconnect();
    await this.dataSource.destroy();
  }

  private async allEnded(until: number): Promise<void> {
    for (;;) {
      const [left] = await this.dataSource.query<unknown[]>('SELECT id FROM pending_probes WHERE active = 1 LIMIT 1');
      if (left === undefined) return;
      if (performance.now() > until) throw new Error('probes have not ended');
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  /** Checks that each address has its cached check, and that every mailbox exists. */
  private async check(wanted: readonly WantedProbe[]): Promise<void> {
    const [row] = await this.dataSource.query<{ found: string }[]>(
      `SELECT COUNT(*) AS found FROM cached_checks
        WHERE address_hmac IN (?) AND JSON_VALUE(facts, '$.probe.class') = 'accepted'`,
      [wanted.map(({ hash }) => Buffer.from(hash, 'hex'))],
    );
    if (Number(row?.found) !== wanted.length) throw new Error(`${row?.found} of ${wanted.length} were found out`);
  }

  private probeOf(email: string): WantedProbe {
    const parsed = parseAddress(email);
    if (!parsed.ok) throw new Error(`${email} is no address`);
    const { address } = parsed;
    return { hash: this.vault.hash(address), address, mode: 'standard', urgency: 'batch', newerThan: null };
  }
}

void main();

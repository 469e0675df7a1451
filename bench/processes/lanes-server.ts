import fastify from 'fastify';
import { Redis } from 'ioredis';
import { DataSource } from 'typeorm';
import { hashApiKey } from '../../src/auth/api-key.js';
import { CallerDirectory } from '../../src/auth/caller-directory.js';
import { KeyLookupRepository } from '../../src/auth/key-lookup.repository.js';
import { openChargeBatcher } from '../../src/billing/charging/open-charge-batcher.js';
import { parseAddress } from '../../src/engine/address/parse-address.js';
import { parseDatabaseUrl } from '../../src/platform/config/database-url.js';
import { dataSourceOptions } from '../../src/platform/database/data-source-options.js';
import { newId } from '../../src/platform/ids/uuid.js';
import { Buckets } from '../../src/rate-limit/buckets.js';
import { rateLimitHeaders } from '../../src/rate-limit/rate-limit-headers.js';
import { RedisBuckets } from '../../src/rate-limit/redis-buckets.js';
import { AddressVault } from '../../src/verify/address-vault/address-vault.js';
import { CheckCacheRepository } from '../../src/verify/cache/check-cache.repository.js';
import { bareOptions } from '../lib/bare-options.js';

/**
 * A billed look-up in bare Fastify with the product's own batchers: the same token, reads and charge, without Nest,
 * pipeline, schema, verdict and log. Sends its URL to its parent, and exits with it.
 */
async function main(): Promise<void> {
  const { databaseUrl, redisUrl, addressSecret, answer } = bareOptions();
  const target = parseDatabaseUrl(databaseUrl);
  if (target === null) throw new Error('no database');
  const dataSource = await new DataSource(dataSourceOptions(target, 20_000)).initialize();
  const redis = new Redis(redisUrl);
  const buckets = new Buckets(new RedisBuckets(redis));
  const directory = new CallerDirectory(new KeyLookupRepository(dataSource));
  const vault = new AddressVault([{ id: 1, key: addressSecret }]);
  const cache = new CheckCacheRepository(dataSource);
  const charges = openChargeBatcher(target, { answerHours: 24, onTrouble: (what) => console.error(what) });

  const server = fastify();
  server.post<{ Body: { email: string } }>('/', async (request, reply) => {
    const caller = await directory.find(hashApiKey(String(request.headers['x-api-key'])));
    if (caller === null) return reply.code(401).send();
    const { accountId, keyId, plan } = caller;
    const decision = await buckets.take('key', keyId, plan.requestsPerMinute);
    const parsed = parseAddress(request.body.email);
    if (!parsed.ok) return reply.code(422).send();
    const hash = vault.hash(parsed.address);
    const found = await cache.findWithDomains([hash]);
    if (!found.has(hash)) return reply.code(404).send();
    const charged = await charges.charge(
      {
        accountId,
        keyId,
        reference: `single:${newId()}`,
        price: { addresses: 1, credits: 1, unitPrice: 1 },
        freeVerifiesPerMonth: plan.freeVerifiesPerMonth,
        answer: null,
      },
      () => request.raw.socket.destroyed,
    );
    if (charged.kind !== 'charged') return reply.code(402).send();
    reply.header('content-type', 'application/json; charset=utf-8').header('X-Request-Id', newId());
    for (const [name, value] of rateLimitHeaders(decision)) reply.header(name, value);
    reply.header('X-Credits-Used', '1').header('X-Credits-Remaining', String(charged.funds.purchased));
    return answer;
  });
  const end = async (): Promise<void> => {
    await server.close();
    await charges.close();
    await dataSource.destroy();
    redis.disconnect();
  };
  process.once('disconnect', () => void end());
  process.send?.(await server.listen({ host: '127.0.0.1', port: 0 }));
}

void main();

import fastify from 'fastify';
import { Redis } from 'ioredis';
import { createPool, type Pool } from 'mysql2/promise';
import { hashApiKey } from '../../src/auth/api-key.js';
import { parseAddress } from '../../src/engine/address/parse-address.js';
import { idToBytes, newId } from '../../src/platform/ids/uuid.js';
import { AddressVault } from '../../src/verify/address-vault/address-vault.js';
import { bareOptions } from '../lib/bare-options.js';
import type { BenchAccount } from '../lib/bench-accounts.js';
import { tokenByToken } from '../lib/one-token.js';

/** The fastest pool size here. */
const CONNECTIONS = 32;

/**
 * A billed look-up in naive bare Fastify: per request one Redis script, one read by primary key, and one durable
 * transaction. Sends its URL to its parent, and exits with it.
 */
async function main(): Promise<void> {
  const { databaseUrl, redisUrl, addressSecret, accounts, answer } = bareOptions();
  const redis = new Redis(redisUrl);
  const takeToken = tokenByToken(redis);
  const vault = new AddressVault([{ id: 1, key: addressSecret }]);
  const pool = createPool({ uri: databaseUrl, connectionLimit: CONNECTIONS });
  const byHash = new Map(accounts.map((account) => [hashApiKey(account.key), account]));
  const body = JSON.parse(answer) as object;
  const server = fastify();
  server.post<{ Body: { email: string } }>('/', async (request, reply) => {
    const account = byHash.get(hashApiKey(String(request.headers['x-api-key'])));
    if (account === undefined) return reply.code(401).send();
    const decision = await takeToken(account.keyId, 1_000_000_000);
    const parsed = parseAddress(request.body.email);
    if (!parsed.ok) return reply.code(422).send();
    const hash = Buffer.from(vault.hash(parsed.address), 'hex');
    const [rows] = await pool.execute('SELECT facts FROM cached_checks WHERE address_hmac = ?', [hash]);
    if ((rows as unknown[]).length === 0) return reply.code(404).send();
    await charge(pool, account);
    reply.header('X-RateLimit-Limit', String(decision.limit));
    reply.header('X-RateLimit-Remaining', String(decision.remaining));
    reply.header('X-RateLimit-Reset', String(decision.resetAt));
    reply.header('X-Request-Id', newId());
    return body;
  });
  process.once('disconnect', () => {
    void server.close().then(() => {
      redis.disconnect();
      return pool.end();
    });
  });
  process.send?.(await server.listen({ host: '127.0.0.1', port: 0 }));
}

async function charge(pool: Pool, { id, keyId }: BenchAccount): Promise<void> {
  const connection = await pool.getConnection();
  try {
    await connection.query('BEGIN');
    const [{ affectedRows }] = (await connection.execute(
      'UPDATE account_balances SET purchased = purchased - 1 WHERE account_id = ? AND purchased >= 1',
      [idToBytes(id)],
    )) as unknown as [{ affectedRows: number }];
    if (affectedRows !== 1) throw new Error('the balance is too low');
    await connection.execute(
      `INSERT INTO ledger_entries (account_id, kind, reference, key_id, addresses, unit_price, purchased, gifted,
        free_verifies, month, created_at) VALUES (?, 'charge', ?, ?, 1, 1, -1, 0, 0, 0, UTC_TIMESTAMP(3))`,
      [idToBytes(id), `single:${newId()}`, idToBytes(keyId)],
    );
    await connection.query('COMMIT');
  } finally {
    connection.release();
  }
}

void main();

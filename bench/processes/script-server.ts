import fastify from 'fastify';
import { Redis } from 'ioredis';
import { bareOptions } from '../lib/bare-options.js';
import { tokenByToken } from '../lib/one-token.js';

/**
 * Fastify that reads a JSON body, runs one Redis script and answers an object: the minimum of a rate-limited service.
 * Sends its URL to its parent, and exits with it.
 */
async function main(): Promise<void> {
  const { redisUrl, answer } = bareOptions();
  const redis = new Redis(redisUrl);
  const takeToken = tokenByToken(redis);
  const body = JSON.parse(answer) as object;
  const server = fastify();
  server.post('/', async (request, reply) => {
    const decision = await takeToken(String(request.headers['x-api-key']), 1_000_000_000);
    reply.header('X-RateLimit-Remaining', String(decision.remaining));
    return body;
  });
  process.once('disconnect', () => void server.close().then(() => redis.disconnect()));
  process.send?.(await server.listen({ host: '127.0.0.1', port: 0 }));
}

void main();

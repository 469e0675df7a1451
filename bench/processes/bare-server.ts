import fastify from 'fastify';

/**
 * Fastify that reads a JSON body and answers `argv[2]`, an object, whatever it says: what HTTP itself costs here. Says its
 * URL to its parent, and ends with it.
 */
async function main(): Promise<void> {
  const answer = JSON.parse(process.argv[2] ?? '{}') as object;
  const server = fastify();
  server.post('/', () => answer);
  process.once('disconnect', () => void server.close());
  process.send?.(await server.listen({ host: '127.0.0.1', port: 0 }));
}

void main();

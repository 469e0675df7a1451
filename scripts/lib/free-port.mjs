import { createServer } from 'node:net';

/**
 * A TCP port on 127.0.0.1 that nothing listens on now: `wanted` if it is free, else one the system picks
 * (never a well-known one, so a server on a standard port is never in the way).
 * @param {number} [wanted]
 * @returns {Promise<number>}
 */
export async function freePort(wanted) {
  if (wanted !== undefined && (await tryPort(wanted)) !== null) return wanted;
  const port = await tryPort(0);
  if (port === null) throw new Error('no free TCP port on 127.0.0.1');
  return port;
}

function tryPort(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const taken = server.address().port;
      server.close(() => resolve(taken));
    });
  });
}

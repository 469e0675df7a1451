import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type ListenOptions, type Server } from 'node:net';
import { closed, listeningOnBoth } from './loopback.js';

/** A loopback address outside the range of laboratories, so that no other test takes these ports. */
const HERE = '127.1.19.1';

let server: Server;
let socket: DatagramSocket;
/** Has a number for UDP that is free for TCP. */
let other: DatagramSocket;
beforeEach(async () => {
  server = createServer();
  socket = createSocket('udp4');
  other = createSocket('udp4').bind(0, HERE);
  await once(other, 'listening');
});
afterEach(async () => {
  for (const each of [socket, other]) each.close();
  await closed(server);
});

describe('a port for both TCP and UDP', () => {
  it('is another one if the number assigned to TCP is taken for UDP', async () => {
    const taken = other.address().port;
    const listen = server.listen.bind(server) as (options: ListenOptions, told: () => void) => Server;
    const asked = jest.spyOn(server, 'listen') as unknown as jest.SpyInstance<Server, [ListenOptions, () => void]>;
    asked.mockImplementationOnce((options, told) => listen({ ...options, port: taken }, told));
    const port = await listeningOnBoth(server, socket, HERE);
    expect(port).not.toBe(taken);
    expect([server.address(), socket.address()]).toMatchObject([{ port }, { port }]);
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it('with a requested number is that one or none', async () => {
    const { port } = other.address();
    await expect(listeningOnBoth(server, socket, HERE, port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(server.listening).toBe(false);
  });
});

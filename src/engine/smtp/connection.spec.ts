import { PassThrough } from 'node:stream';
import { setImmediate as soon } from 'node:timers/promises';
import type { Socket } from 'node:net';
import { SmtpConnection } from './connection.js';

describe('SmtpConnection', () => {
  it('reads no further while a flood of replies waits', async () => {
    const socket = new PassThrough() as unknown as Socket;
    const connection = new SmtpConnection(socket, 'mx.example.com', new AbortController().signal, undefined);
    const flood = async (replies: number): Promise<boolean> => {
      socket.write('250 ok\r\n'.repeat(replies));
      await soon();
      return socket.isPaused();
    };
    expect(await flood(64)).toBe(false);
    expect(await flood(1)).toBe(true);
    expect(await flood(1)).toBe(true);

    for (let read = 0; read < 65; read += 1) expect(connection.takeUnread()).toMatchObject({ kind: 'reply' });
    expect(connection.takeUnread()).toEqual({ kind: 'timeout' });
    expect(socket.isPaused()).toBe(false);
    await soon();
    expect(connection.takeUnread()).toMatchObject({ kind: 'reply' });
    connection.close(false);
  });
});

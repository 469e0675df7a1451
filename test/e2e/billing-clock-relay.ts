import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { Connection } from 'mysql2/promise';

/** As long as each other, so that packets keep their length. */
const ASKED = Buffer.from('UTC_TIMESTAMP(3)');
const ANSWERED = Buffer.from('mailvet_clock(3)');
/** How long the beginning of the text is held back when the rest may be in the next chunk. */
const HOLD_MS = 5;

/** A relay in front of a database whose clock a test sets: the same for every process that connects through it. */
export interface ClockRelay {
  readonly url: string;
  set(at: string): Promise<void>;
  close(): Promise<void>;
}

/** @param database an open connection to the database of `url`, not through the relay */
export async function startClockRelay(url: string, database: Connection, at: string): Promise<ClockRelay> {
  const set = async (moment: string): Promise<void> => {
    await database.query('REPLACE INTO test_clock (id, at) VALUES (1, ?)', [moment]);
  };
  await database.query('CREATE TABLE test_clock (id int PRIMARY KEY, at datetime(3) NOT NULL)');
  await set(at);
  await database.query(
    'CREATE FUNCTION mailvet_clock(digits int) RETURNS datetime(3) READS SQL DATA RETURN (SELECT at FROM test_clock)',
  );
  const to = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(to.port), to.hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    far.on('data', (chunk) => near.write(chunk));
    replacing(near, far);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const through = new URL(url);
  through.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: through.href,
    set,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Passes on what comes from `near`, one text replaced by the other wherever chunks end. */
function replacing(near: Socket, far: Socket): void {
  let held = Buffer.alloc(0);
  let timer: NodeJS.Timeout | undefined;
  const pass = (bytes: Buffer): void => {
    for (let at = bytes.indexOf(ASKED); at >= 0; at = bytes.indexOf(ASKED, at)) ANSWERED.copy(bytes, at);
    if (bytes.length > 0) far.write(bytes);
  };
  near.on('data', (chunk) => {
    clearTimeout(timer);
    const bytes = Buffer.concat([held, chunk]);
    const keep = beginning(bytes);
    held = Buffer.from(bytes.subarray(bytes.length - keep));
    pass(bytes.subarray(0, bytes.length - keep));
    if (keep === 0) return;
    timer = setTimeout(() => {
      pass(held);
      held = Buffer.alloc(0);
    }, HOLD_MS);
  });
}

/** Octets at the end of the bytes that may be the beginning of the text. */
function beginning(bytes: Buffer): number {
  for (let length = Math.min(ASKED.length - 1, bytes.length); length > 0; length--) {
    if (bytes.subarray(-length).equals(ASKED.subarray(0, length))) return length;
  }
  return 0;
}

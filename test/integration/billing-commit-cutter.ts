import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What becomes of a packet that holds a COMMIT. */
export type CommitFate =
  | 'pass'
  /** The server carries it out; its answer is thrown away and the connection reset. */
  | 'lose_answer'
  /** It never reaches the server; the connection is reset. */
  | 'lose_packet';

export interface CommitCutter {
  readonly port: number;
  /** COMMITs seen so far. */
  readonly commits: number;
  close(): Promise<void>;
}

const COMMIT = Buffer.from('COMMIT');

/** A relay in front of a database that reads along and decides the fate of every COMMIT, by its number from 0. */
export async function commitCutter(
  to: { readonly host: string; readonly port: number },
  fateOf: (commit: number) => CommitFate,
): Promise<CommitCutter> {
  const sockets = new Set<Socket>();
  let commits = 0;
  const server = createServer((near) => {
    const far = connect(to.port, to.host);
    let answerIsLost = false;
    const reset = (): void => {
      near.resetAndDestroy();
      far.resetAndDestroy();
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', reset);
      socket.on('close', () => {
        sockets.delete(socket);
        reset();
      });
    }
    near.on('data', (chunk) => {
      // The last statement of a batcher's packet, with nothing after it.
      const fate = chunk.subarray(-COMMIT.length).equals(COMMIT) ? fateOf(commits++) : 'pass';
      if (fate === 'lose_packet') {
        reset();
        return;
      }
      answerIsLost ||= fate === 'lose_answer';
      far.write(chunk);
    });
    far.on('data', (chunk) => {
      if (answerIsLost) reset();
      else near.write(chunk);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get commits() {
      return commits;
    },
    async close() {
      for (const socket of sockets) socket.resetAndDestroy();
      server.close();
      await once(server, 'close');
    },
  };
}

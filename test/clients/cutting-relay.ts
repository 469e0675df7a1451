import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP relay in front of the API that cuts some connections in the middle of an answer. */
export interface CuttingRelay {
  readonly url: string;
  /** The next new connections are cut after so many octets of what the API answers, one for each number. */
  cutAfter(...octets: readonly number[]): void;
  /** Cuts that were carried out. */
  readonly cuts: number;
  close(): Promise<void>;
}

export async function startCuttingRelay(api: string): Promise<CuttingRelay> {
  const { hostname, port } = new URL(api);
  const open = new Set<Socket>();
  const planned: number[] = [];
  let cuts = 0;
  const relay = createServer((near) => {
    const far = connect(Number(port), hostname);
    let left = planned.shift() ?? Infinity;
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
    near.on('data', (chunk) => void far.write(chunk));
    far.on('data', (chunk) => {
      if (chunk.length <= left) {
        left -= chunk.length;
        near.write(chunk);
        return;
      }
      cuts += 1;
      // The API has answered: it believes that the caller got it all.
      near.end(chunk.subarray(0, left), () => near.destroy());
    });
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  return {
    url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    cutAfter: (...octets) => {
      planned.push(...octets);
      // What is kept alive would be used again, and escape the cut.
      for (const socket of open) socket.destroy();
    },
    get cuts() {
      return cuts;
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      relay.close();
      await once(relay, 'close');
    },
  };
}

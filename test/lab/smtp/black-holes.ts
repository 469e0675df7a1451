import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';

/**
 * Listens on every address with the shortest queue possible, and never accepts, because the thread sleeps. Once the
 * queue is full, the kernel drops new connections, like a silent firewall.
 */
const SLEEPING_LISTENERS = `
const { parentPort, workerData } = require('node:worker_threads');
const { createServer } = require('node:net');
let waiting = workerData.addresses.length;
for (const host of workerData.addresses) {
  createServer()
    .on('error', (error) => parentPort.postMessage({ code: error.code, message: error.message }))
    .listen({ host, port: workerData.port, backlog: 1 }, () => {
      waiting -= 1;
      if (waiting > 0) return;
      parentPort.postMessage(null);
      setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
    });
}`;

/** How long to wait for a connection to a full queue before it counts as dropped. */
const FULL_AFTER_MS = 60;
const LONGEST_QUEUE = 16;

/** Addresses that drop all packets, on one port. */
export class BlackHoles {
  private constructor(
    private readonly worker: Worker,
    private readonly fillers: readonly Socket[],
  ) {}

  static async open(addresses: readonly string[], port: number): Promise<BlackHoles> {
    const worker = new Worker(SLEEPING_LISTENERS, { eval: true, workerData: { addresses, port } });
    worker.unref();
    const [fault] = (await once(worker, 'message')) as [{ code: string; message: string } | null];
    if (fault !== null) {
      await worker.terminate();
      throw Object.assign(new Error(fault.message), { code: fault.code });
    }
    const fillers = await Promise.all(addresses.map((address) => fillQueue(address, port)));
    return new BlackHoles(worker, fillers.flat());
  }

  async close(): Promise<void> {
    for (const socket of this.fillers) socket.destroy();
    await this.worker.terminate();
  }
}

async function fillQueue(address: string, port: number): Promise<Socket[]> {
  const fillers: Socket[] = [];
  while (fillers.length < LONGEST_QUEUE) {
    const socket = connect(port, address);
    socket.on('error', () => undefined);
    const connected = await Promise.race([
      once(socket, 'connect').then(() => true),
      new Promise<false>((resolve) => {
        setTimeout(() => resolve(false), FULL_AFTER_MS);
      }),
    ]);
    if (!connected) {
      socket.destroy();
      return fillers;
    }
    fillers.push(socket);
  }
  throw new Error(`the queue of ${address}:${port} takes more than ${LONGEST_QUEUE} connections`);
}

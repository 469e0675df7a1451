import type { Socket } from 'node:net';
import { ConnectionFault, type Egress } from '../../engine/smtp/egress.js';
import type { EgressRecord } from './egress-record.js';

/** An egress that records every connection attempt. */
export class WatchedEgress implements Egress {
  readonly id: string;
  readonly heloName: string;
  readonly mailFrom: string;
  readonly ipv6: boolean;

  constructor(
    private readonly inner: Egress,
    readonly record: EgressRecord,
  ) {
    this.id = inner.id;
    this.heloName = inner.heloName;
    this.mailFrom = inner.mailFrom;
    this.ipv6 = inner.ipv6;
  }

  async connect(address: string, port: number, timeoutMs: number, signal: AbortSignal): Promise<Socket> {
    const began = performance.now();
    try {
      const socket = await this.inner.connect(address, port, timeoutMs, signal);
      this.record.connected(address, socket.localAddress);
      return socket;
    } catch (error) {
      if (error instanceof ConnectionFault) {
        this.record.failed(address, error, performance.now() - began, signal.aborted);
      }
      throw error;
    }
  }
}

import { ConnectionFault, type Egress } from '../../engine/smtp/egress.js';
import type { EgressRecord } from './egress-record.js';

/** An egress that records every connection attempt. */
export interface WatchedEgress extends Egress {
  readonly record: EgressRecord;
}

export function watchedEgress(inner: Egress, record: EgressRecord): WatchedEgress {
  return {
    ...inner,
    record,
    connect: async (address, port, timeoutMs, signal) => {
      const began = performance.now();
      try {
        const socket = await inner.connect(address, port, timeoutMs, signal);
        record.connected(address, socket.localAddress);
        return socket;
      } catch (error) {
        if (error instanceof ConnectionFault) {
          record.failed(address, error, performance.now() - began, signal.aborted);
        }
        throw error;
      }
    },
  };
}

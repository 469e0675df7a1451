import { isIPv6 } from 'node:net';
import type { Egress } from '../../engine/smtp/egress.js';
import type { Clearance } from './clearance.js';
import { openClearedSocket } from './open-cleared-socket.js';

export interface DirectEgressOptions extends Omit<Egress, 'ipv6' | 'connect'> {
  /** Source addresses by family; null: the system's choice. An IPv6 address means a verified identity. */
  readonly source: { readonly ipv4: string | null; readonly ipv6: string | null };
  readonly clearance: Clearance;
}

/** Connects from this machine, from a given source address or the system's choice. */
export function directEgress({ source, clearance, ...identity }: DirectEgressOptions): Egress {
  return {
    ...identity,
    ipv6: source.ipv6 !== null,
    connect: (host, port, timeoutMs, signal) => {
      const localAddress = (isIPv6(host) ? source.ipv6 : source.ipv4) ?? undefined;
      return openClearedSocket({ host, port, localAddress }, clearance, timeoutMs, signal);
    },
  };
}

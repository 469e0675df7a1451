import { isIPv6, type Socket } from 'node:net';
import type { Egress } from '../../engine/smtp/egress.js';
import type { Clearance } from './clearance.js';
import { openClearedSocket } from './open-cleared-socket.js';

export interface DirectEgressOptions {
  readonly id: string;
  readonly heloName: string;
  readonly mailFrom: string;
  /** Source addresses by family; null: the system's choice. An IPv6 address means a verified identity. */
  readonly source: { readonly ipv4: string | null; readonly ipv6: string | null };
  readonly clearance: Clearance;
}

/** Connects from this machine, from a given source address or the system's choice. */
export class DirectEgress implements Egress {
  readonly id: string;
  readonly heloName: string;
  readonly mailFrom: string;
  readonly ipv6: boolean;

  constructor(private readonly options: DirectEgressOptions) {
    this.id = options.id;
    this.heloName = options.heloName;
    this.mailFrom = options.mailFrom;
    this.ipv6 = options.source.ipv6 !== null;
  }

  connect(address: string, port: number, timeoutMs: number, signal: AbortSignal): Promise<Socket> {
    const { clearance, source } = this.options;
    const localAddress = (isIPv6(address) ? source.ipv6 : source.ipv4) ?? undefined;
    return openClearedSocket({ host: address, port, localAddress }, clearance, timeoutMs, signal);
  }
}

import { isIPv6, type Socket } from 'node:net';
import { ConnectionFault, type Egress } from '../../engine/smtp/egress.js';
import type { Clearance } from './clearance.js';
import { directFault } from './connection-faults.js';
import { openSocket } from './open-socket.js';
import { hasRoute } from './route.js';

export interface DirectEgressOptions {
  readonly id: string;
  readonly heloName: string;
  readonly mailFrom: string;
  /** Source addresses by family; the system's choice where null. An IPv6 one means that it has a verified identity. */
  readonly source: { readonly ipv4: string | null; readonly ipv6: string | null };
  readonly clearance: Clearance;
}

/** Goes out from this machine, from a given source address or from whichever the system takes. */
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

  async connect(address: string, port: number, timeoutMs: number, signal: AbortSignal): Promise<Socket> {
    const { clearance, source } = this.options;
    if (!clearance(address)) throw new ConnectionFault('theirs', 'forbidden_address');
    const localAddress = (isIPv6(address) ? source.ipv6 : source.ipv4) ?? undefined;
    const socket = await openSocket({ host: address, port, localAddress }, timeoutMs, signal).catch(
      async (error: unknown) => {
        throw await directFault(error, () => hasRoute(address, localAddress));
      },
    );
    // The address the system says we are talking to, whatever was asked for.
    if (socket.remoteAddress !== undefined && clearance(socket.remoteAddress)) return socket;
    const gone = socket.remoteAddress === undefined;
    socket.destroy();
    throw new ConnectionFault('theirs', gone ? 'reset' : 'forbidden_address');
  }
}

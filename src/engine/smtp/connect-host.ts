import { isIPv6, type Socket } from 'node:net';
import type { MailHost } from '../dns/mail-hosts.js';
import { ConnectionFault, type Egress } from './egress.js';
import type { Note } from './note.js';

/** Most addresses tried per mail host, so that dead addresses do not use up the check. */
const MAX_ADDRESSES = 4;
const MAX_ADDRESSES_WHILE_OTHERS_WAIT = 2;

export type HostConnection =
  | { readonly kind: 'connected'; readonly socket: Socket; readonly address: string }
  | {
      readonly kind: 'failed';
      /** True if an address refused us and our own side worked. */
      readonly theirs: boolean;
      /** The failure on our side, or null. */
      readonly ours: ConnectionFault['why'] | null;
    };

export interface ConnectPlan {
  readonly host: MailHost;
  readonly egress: Egress;
  readonly port: number;
  readonly othersWait: boolean;
  /** True if we may connect to the address. Asked right before each attempt. */
  mayConnect(address: string): boolean;
  /** Milliseconds for the next attempt. */
  budgetMs(): number;
  readonly signal: AbortSignal;
  readonly note: Note;
  /** Called when an address refuses the connection. */
  readonly onDenied?: () => void;
}

/** Connects to the first of a host's addresses that accepts. */
export async function connectToHost(plan: ConnectPlan): Promise<HostConnection> {
  let theirs = false;
  let ours: ConnectionFault['why'] | null = null;
  for (const address of addressesToTry(plan)) {
    if (plan.signal.aborted) break;
    // Attempts take seconds: the list may have changed meanwhile.
    if (!plan.mayConnect(address)) continue;
    try {
      plan.note(`Connecting to ${plan.host.name} (${address}) port ${plan.port} from ${plan.egress.id}.`);
      const socket = await plan.egress.connect(address, plan.port, plan.budgetMs(), plan.signal);
      return { kind: 'connected', socket, address };
    } catch (error) {
      if (!(error instanceof ConnectionFault)) throw error;
      plan.note(`No connection to ${plan.host.name} (${address}): ${WORDS[error.why]}.`);
      if (error.blame === 'theirs') {
        theirs = true;
        plan.onDenied?.();
      } else ours = error.why;
    }
  }
  return { kind: 'failed', theirs, ours };
}

/**
 * The first few permitted addresses: IPv4 first; IPv6 if the host has nothing else or the egress has an IPv6 identity
 * (decisions 6.2). The last place is then kept for IPv6: a host that many IPv4 addresses hide may still let us in.
 */
export function addressesToTry({
  host: { addresses },
  egress,
  othersWait,
  mayConnect,
}: Pick<ConnectPlan, 'host' | 'othersWait' | 'mayConnect'> & {
  readonly egress: Pick<Egress, 'ipv6'>;
}): readonly string[] {
  const mayUseIpv6 = egress.ipv6 || addresses.every((address) => isIPv6(address));
  const permitted = addresses.filter(mayConnect);
  const ipv4 = permitted.filter((address) => !isIPv6(address));
  const ipv6 = mayUseIpv6 ? permitted.filter((address) => isIPv6(address)) : [];
  const most = othersWait ? MAX_ADDRESSES_WHILE_OTHERS_WAIT : MAX_ADDRESSES;
  return [...ipv4.slice(0, most - Math.min(ipv6.length, 1)), ...ipv6].slice(0, most);
}

const WORDS: Readonly<Record<ConnectionFault['why'], string>> = {
  refused: 'the connection was refused',
  timeout: 'no answer in time',
  unreachable: 'no route to it',
  forbidden_address: 'its address is private or reserved, and is never connected to',
  proxy: 'our proxy failed',
  reset: 'the connection was cut at once',
  local: 'our own network does not let us out',
};

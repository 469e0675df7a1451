import type { Socket } from 'node:net';

/** One way out to the mail hosts: a source address or a proxy, with the identity that belongs to it. */
export interface Egress {
  /** Stable name, stored with each probe: greylist retries come back by it. Never a secret. */
  readonly id: string;
  readonly heloName: string;
  /** Envelope sender, without angle brackets. */
  readonly mailFrom: string;
  /** True when it has a verified IPv6 identity: only then are IPv6-preferring hosts reached over IPv6. */
  readonly ipv6: boolean;
  /**
   * Opens a TCP connection to a mail host's address, which is checked against the rule of decisions 6.2 right here.
   * Rejects with `ConnectionFault`; the socket is the caller's to destroy.
   */
  connect(address: string, port: number, timeoutMs: number, signal: AbortSignal): Promise<Socket>;
}

export interface EgressPool {
  /** The egress with this id while it exists, else any. */
  choose(id: string | null): Egress;
}

/** `ours`: source address, proxy or network of our own failed: not a verdict. `theirs`: that host did not let us in. */
export class ConnectionFault extends Error {
  override readonly name = 'ConnectionFault';
  constructor(
    readonly blame: 'ours' | 'theirs',
    readonly why: 'refused' | 'timeout' | 'unreachable' | 'forbidden_address' | 'proxy' | 'reset' | 'local',
  ) {
    super(`${blame === 'ours' ? 'our egress failed' : 'the mail host could not be reached'}: ${why}`);
  }
}

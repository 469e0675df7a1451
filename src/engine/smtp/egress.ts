import type { Socket } from 'node:net';

/** An egress to the mail hosts: a source address or proxy, with its identity. */
export interface Egress {
  /** Stable name, stored with each probe so that greylist retries use it again. Never a secret. */
  readonly id: string;
  readonly heloName: string;
  /** Envelope sender, without angle brackets. */
  readonly mailFrom: string;
  /** True with a verified IPv6 identity: only then are IPv6-preferring hosts reached over IPv6. */
  readonly ipv6: boolean;
  /**
   * Connects to a mail host's address, after checking it against the rule of decisions 6.2. Rejects with
   * `ConnectionFault`; the caller must destroy the socket.
   */
  connect(address: string, port: number, timeoutMs: number, signal: AbortSignal): Promise<Socket>;
}

export interface EgressPool {
  /** The egress with this id if it exists, else any. */
  choose(id: string | null): Egress;
}

/** `ours`: our source address, proxy or network failed: not a verdict. `theirs`: the host refused the connection. */
export class ConnectionFault extends Error {
  override readonly name = 'ConnectionFault';
  constructor(
    readonly blame: 'ours' | 'theirs',
    readonly why: 'refused' | 'timeout' | 'unreachable' | 'forbidden_address' | 'proxy' | 'reset' | 'local',
  ) {
    super(`${blame === 'ours' ? 'our egress failed' : 'the mail host could not be reached'}: ${why}`);
  }
}

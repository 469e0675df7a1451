/** The record of one session with a lab mail host. */
export interface SessionLog {
  readonly host: string;
  readonly clientAddress: string;
  /** Lines as the client sent them, without line ends. */
  readonly commands: string[];
  /** Lines of replies as they were sent, without line ends. */
  readonly replies: string[];
  /** What a well-behaved client does not do: talk early, pipeline without an offer, send DATA. */
  readonly violations: string[];
  secured: boolean;
  /** How often the client was heard after the host had spoken: round trips after the connection and its greeting. */
  turns: number;
  /** Monotonic milliseconds. */
  readonly openedAt: number;
  /** null while it is open. */
  closedAt: number | null;
}

/** Older sessions of a host are counted but not kept. */
export const KEPT_PER_HOST = 2000;

/** The sessions of all hosts of a laboratory. */
export class SessionBook {
  private readonly kept = new Map<string, SessionLog[]>();
  private readonly counts = new Map<string, number>();
  private readonly openByHost = new Map<string, number>();
  private readonly waiting = new Set<() => void>();

  constructor(private readonly keptPerHost: number) {}

  open(host: string, clientAddress: string): SessionLog {
    const started = { commands: [], replies: [], violations: [], secured: false, turns: 0 };
    const log: SessionLog = { host, clientAddress, ...started, openedAt: performance.now(), closedAt: null };
    const logs = this.kept.get(host) ?? [];
    this.kept.set(host, logs);
    logs.push(log);
    if (logs.length > this.keptPerHost) logs.shift();
    this.counts.set(host, this.count(host) + 1);
    this.openByHost.set(host, this.openAt(host) + 1);
    return log;
  }

  close(log: SessionLog): void {
    if (log.closedAt !== null) return;
    log.closedAt = performance.now();
    this.openByHost.set(log.host, this.openAt(log.host) - 1);
    if (this.openNow === 0) for (const wake of this.waiting) wake();
  }

  of(host: string): readonly SessionLog[] {
    return this.kept.get(host) ?? [];
  }

  /** Number of sessions, dropped ones included. */
  count(host: string): number {
    return this.counts.get(host) ?? 0;
  }

  openAt(host: string): number {
    return this.openByHost.get(host) ?? 0;
  }

  get openNow(): number {
    return sum(this.openByHost);
  }

  /** Number of sessions of all hosts. */
  get total(): number {
    return sum(this.counts);
  }

  /** True once no session is open; false if one still is after `withinMs`. */
  async allClosed(withinMs: number): Promise<boolean> {
    if (this.openNow === 0) return true;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, withinMs);
      this.waiting.add(done);
    });
    return this.openNow === 0;
  }
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, n) => total + n, 0);
}

import { randomInt } from 'node:crypto';
import { encodeQuery, RCODE, readAnswer, withId, type Question } from './dns-message.js';
import { formatDnsServer, type DnsServer } from './dns-servers.js';
import { exchangeUdp } from './udp-exchange.js';

/** How long the outcome of a control query holds (decisions 6.2). */
export const HEALTH_REMEMBERED_MS = 5_000;
/** A server that left a question unanswered which another answered comes last for so long. */
const AVOIDED_MS = 10_000;
/** EDNS is tried again after so long with a server that refused it. */
const PLAIN_MS = 60_000;

const CONTROL: Question = { name: '.', type: 'SOA', checkingDisabled: false };
const CONTROL_QUERY = encodeQuery(CONTROL, false);

const FAILURES: ReadonlySet<number> = new Set([RCODE.servFail, RCODE.refused]);

/** One name server, and what is known of its health. Times are of the monotonic clock, in milliseconds. */
export class NameServer {
  /** `ip:port`, for people. */
  readonly label: string;
  private workedAt = Number.NEGATIVE_INFINITY;
  private silentAt = Number.NEGATIVE_INFINITY;
  private avoidedUntil = Number.NEGATIVE_INFINITY;
  private plainUntil = Number.NEGATIVE_INFINITY;
  private control: { readonly answered: Promise<boolean>; readonly stop: () => void } | null = null;

  /** `controlMs`: how long a control query waits in all. */
  constructor(
    readonly at: DnsServer,
    private readonly controlMs: number,
  ) {
    this.label = formatDnsServer(at);
  }

  /** It answered something, as only a working server does. */
  worked(): void {
    this.workedAt = performance.now();
  }

  workedSince(since: number): boolean {
    return this.workedAt >= since;
  }

  /** Put off: others are asked before it for a while. */
  avoid(): void {
    this.avoidedUntil = performance.now() + AVOIDED_MS;
  }

  get avoided(): boolean {
    return this.avoidedUntil > performance.now();
  }

  refusedEdns(): void {
    this.plainUntil = performance.now() + PLAIN_MS;
  }

  get speaksEdns(): boolean {
    return this.plainUntil <= performance.now();
  }

  /**
   * Whether it has worked since that moment, asked with the control query where that is not known: any readable answer
   * will do but that it fails or refuses. Who cannot say where the root is reaches nobody, or serves us no more. No control
   * query is sent while another is on its way, or within 5 s of one that went unanswered.
   */
  checkHealth(since: number): Promise<boolean> {
    if (this.workedSince(since)) return Promise.resolve(true);
    if (this.control !== null) return this.control.answered;
    const knownSilent = this.silentAt > this.workedAt && performance.now() - this.silentAt < HEALTH_REMEMBERED_MS;
    if (knownSilent) return Promise.resolve(false);
    this.control = this.sendControl();
    return this.control.answered;
  }

  /** Ends a control query under way; it counts as unanswered. */
  close(): void {
    this.control?.stop();
  }

  private sendControl(): { answered: Promise<boolean>; stop: () => void } {
    let stop = (): void => undefined;
    const answered = new Promise<boolean>((resolve) => {
      const sockets: (() => void)[] = [];
      const timers: NodeJS.Timeout[] = [];
      let faults = 0;
      const end = (works: boolean): void => {
        for (const timer of timers) clearTimeout(timer);
        for (const close of sockets) close();
        this.control = null;
        if (works) this.worked();
        else this.silentAt = performance.now();
        resolve(works);
      };
      const send = (): void => {
        const id = randomInt(0x1_0000);
        const onDatagram = (bytes: Buffer): void => {
          const read = readAnswer(bytes, id, CONTROL);
          if (read.kind === 'message' && FAILURES.has(read.message.rcode)) onFault();
          else if (read.kind === 'message' || read.kind === 'truncated') end(true);
        };
        const onFault = (): void => {
          faults += 1;
          if (faults === 2) end(false);
        };
        sockets.push(exchangeUdp(this.at, withId(CONTROL_QUERY, id), onDatagram, onFault));
      };
      stop = () => end(false);
      timers.push(setTimeout(send, this.controlMs / 3), setTimeout(stop, this.controlMs));
      send();
    });
    return { answered, stop };
  }
}

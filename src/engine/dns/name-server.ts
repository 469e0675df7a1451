import { randomInt } from 'node:crypto';
import { encodeQuery, RCODE, readAnswer, withId, type Question } from './dns-message.js';
import { formatDnsServer, type DnsServer } from './dns-servers.js';
import { exchangeUdp } from './udp-exchange.js';

/** How long the result of a control query holds (decisions 6.2), milliseconds. */
export const HEALTH_REMEMBERED_MS = 5_000;
/** How long a server that left a question unanswered, which another answered, comes last, milliseconds. */
const AVOIDED_MS = 10_000;
/** How long to remember that a server supports EDNS or fails for it, milliseconds. */
const EDNS_REMEMBERED_MS = 600_000;
/** How long to report a server that answered no control query, unless it answers, milliseconds since the last one. */
const SILENCE_REPORTED_MS = 60_000;
/** How long to report a server that says "there is none" without asking other servers, milliseconds since the last time. */
const BY_ITSELF_MS = 3_600_000;

const CONTROL: Question = { name: '.', type: 'SOA', checkingDisabled: false };
/** With and without EDNS, like other questions. */
const CONTROL_QUERY = { edns: encodeQuery(CONTROL, true), plain: encodeQuery(CONTROL, false) };

const FAILURES: ReadonlySet<number> = new Set([RCODE.servFail, RCODE.refused]);
/** Responses to EDNS that say nothing about the server's health. */
const NO_EDNS: ReadonlySet<number> = new Set([RCODE.formErr, RCODE.notImp, RCODE.badVers]);

/** The form of the queries whose answers prove that a server works. */
export type QueryForm = 'any' | 'edns';

/** A fault of a server that an operator should know. */
export type ServerTrouble = 'no_edns' | 'not_definite' | 'silent';

/** A name server and its health. Times are monotonic, in milliseconds. */
export class NameServer {
  /** `ip:port`, for people. */
  readonly label: string;
  private readonly workedAt = { any: Number.NEGATIVE_INFINITY, edns: Number.NEGATIVE_INFINITY };
  private ednsAnsweredAt = Number.NEGATIVE_INFINITY;
  private silentAt = Number.NEGATIVE_INFINITY;
  /** When a control query had no usable answer, and no other question one meanwhile. */
  private uselessAt = Number.NEGATIVE_INFINITY;
  private avoidedUntil = Number.NEGATIVE_INFINITY;
  private plainUntil = Number.NEGATIVE_INFINITY;
  private byItselfUntil = Number.NEGATIVE_INFINITY;
  private control: Control | null = null;
  private readonly told = new Set<ServerTrouble>();

  /**
   * @param controlMs total timeout of a control query, milliseconds
   * @param onTrouble called once for each trouble; for a silence, again after each time it has worked
   */
  constructor(
    readonly at: DnsServer,
    private readonly controlMs: number,
    private readonly onTrouble: (trouble: ServerTrouble) => void = () => undefined,
  ) {
    this.label = formatDnsServer(at);
  }

  /** Records an answer that proves that the server works. */
  worked(withEdns: boolean): void {
    this.workedAt.any = performance.now();
    this.told.delete('silent');
    if (withEdns) this.workedAt.edns = this.ednsAnsweredAt = this.workedAt.any;
  }

  workedSince(since: number, form: QueryForm): boolean {
    return this.workedAt[form] >= since;
  }

  /** Asks other servers first for a while. */
  avoid(): void {
    this.avoidedUntil = performance.now() + AVOIDED_MS;
  }

  get avoided(): boolean {
    return this.avoidedUntil > performance.now();
  }

  /**
   * Records that the server refused EDNS, or answered only without it. Ignored if it answered EDNS lately: then it is
   * chance.
   */
  failedEdns(): void {
    if (this.knownForEdns) return;
    this.tell('no_edns');
    this.plainUntil = performance.now() + EDNS_REMEMBERED_MS;
  }

  get speaksEdns(): boolean {
    return this.plainUntil <= performance.now();
  }

  get knownForEdns(): boolean {
    return performance.now() - this.ednsAnsweredAt < EDNS_REMEMBERED_MS;
  }

  /** Records that the server said "there is none" without asking other servers. */
  saidNoByItself(withEdns: boolean): void {
    this.tell('not_definite');
    if (withEdns) this.ednsAnsweredAt = performance.now();
    this.byItselfUntil = performance.now() + BY_ITSELF_MS;
  }

  private tell(trouble: ServerTrouble): void {
    if (this.told.has(trouble)) return;
    this.told.add(trouble);
    this.onTrouble(trouble);
  }

  get troubles(): readonly ServerTrouble[] {
    const now = performance.now();
    return [
      ...(this.plainUntil > now ? (['no_edns'] as const) : []),
      ...(this.byItselfUntil > now ? (['not_definite'] as const) : []),
      ...(this.uselessAt > Math.max(this.workedAt.any, now - SILENCE_REPORTED_MS) ? (['silent'] as const) : []),
    ];
  }

  /**
   * True if the server has worked since `since`. If unknown, sends a control query: any readable answer proves it,
   * except a failure or a refusal; a server that cannot resolve the root reaches nobody, or no longer serves us. Sends
   * none while another is in flight, or within 5 s of an unanswered one.
   */
  async checkHealth(since: number, form: QueryForm): Promise<boolean> {
    if (this.workedSince(since, form)) return true;
    if (this.control === null) {
      const knownSilent = this.silentAt > this.workedAt.any && performance.now() - this.silentAt < HEALTH_REMEMBERED_MS;
      if (knownSilent) return false;
      this.control = this.sendControl();
    }
    await this.control.over;
    return this.workedSince(since, form);
  }

  /** Ends a control query in flight; it counts as unanswered. */
  close(): void {
    this.control?.stop();
  }

  /** Asks with EDNS unless it is known to fail, then without, as questions do. */
  private sendControl(): Control {
    let stop = (): void => undefined;
    const over = new Promise<void>((resolve) => {
      const sockets: (() => void)[] = [];
      const timers: NodeJS.Timeout[] = [];
      const expectsEdns = this.speaksEdns;
      const startedAt = performance.now();
      let faults = 0;
      const end = (works: boolean): void => {
        for (const timer of timers) clearTimeout(timer);
        for (const close of sockets) close();
        this.control = null;
        if (!works) this.silentAt = performance.now();
        resolve();
      };
      const onFault = (): void => {
        faults += 1;
        if (faults === 2) fail();
      };
      const fail = (): void => {
        if (!this.workedSince(startedAt, 'any')) {
          this.uselessAt = performance.now();
          this.tell('silent');
        }
        end(false);
      };
      const send = (form: keyof typeof CONTROL_QUERY): void => {
        const id = randomInt(0x1_0000);
        const onDatagram = (bytes: Buffer): void => {
          const read = readAnswer(bytes, id, CONTROL);
          if (read.kind === 'malformed' || read.kind === 'unrelated') return;
          const rcode = read.kind === 'message' ? read.message.rcode : RCODE.noError;
          if (FAILURES.has(rcode)) return onFault();
          if (form === 'edns' ? NO_EDNS.has(rcode) : expectsEdns) this.failedEdns();
          this.worked(form === 'edns' && !NO_EDNS.has(rcode));
          end(true);
        };
        sockets.push(exchangeUdp(this.at, withId(CONTROL_QUERY[form], id), onDatagram, onFault));
      };
      stop = () => end(false);
      timers.push(
        setTimeout(() => send('plain'), this.controlMs / 3),
        setTimeout(fail, this.controlMs),
      );
      send(expectsEdns ? 'edns' : 'plain');
    });
    return { over, stop };
  }
}

interface Control {
  readonly over: Promise<void>;
  readonly stop: () => void;
}

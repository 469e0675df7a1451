import { randomInt } from 'node:crypto';
import { encodeQuery, RCODE, readAnswer, withId, type Question } from './dns-message.js';
import { formatDnsServer, type DnsServer } from './dns-servers.js';
import { exchangeUdp } from './udp-exchange.js';

/** How long the outcome of a control query holds (decisions 6.2). */
export const HEALTH_REMEMBERED_MS = 5_000;
/** A server that left a question unanswered which another answered comes last for so long. */
const AVOIDED_MS = 10_000;
/** How long it is remembered of a server that it answers EDNS, or fails for it. */
const EDNS_REMEMBERED_MS = 600_000;
/** A server that says "there is none" without having asked is told of for so long after the last time. */
const BY_ITSELF_MS = 3_600_000;

const CONTROL: Question = { name: '.', type: 'SOA', checkingDisabled: false };
/** In the forms of other questions. */
const CONTROL_QUERY = { edns: encodeQuery(CONTROL, true), plain: encodeQuery(CONTROL, false) };

const FAILURES: ReadonlySet<number> = new Set([RCODE.servFail, RCODE.refused]);
/** Answers to EDNS that say nothing of the server's health. */
const NO_EDNS: ReadonlySet<number> = new Set([RCODE.formErr, RCODE.notImp, RCODE.badVers]);

/** Answers to questions in which form count as a sign of life. */
export type QueryForm = 'any' | 'edns';

/** What an operator should know of a server. */
export type ServerTrouble = 'no_edns' | 'not_definite';

/** One name server, and what is known of its health. Times are of the monotonic clock, in milliseconds. */
export class NameServer {
  /** `ip:port`, for people. */
  readonly label: string;
  private readonly workedAt = { any: Number.NEGATIVE_INFINITY, edns: Number.NEGATIVE_INFINITY };
  private ednsAnsweredAt = Number.NEGATIVE_INFINITY;
  private silentAt = Number.NEGATIVE_INFINITY;
  private avoidedUntil = Number.NEGATIVE_INFINITY;
  private plainUntil = Number.NEGATIVE_INFINITY;
  private byItselfUntil = Number.NEGATIVE_INFINITY;
  private control: Control | null = null;
  private readonly told = new Set<ServerTrouble>();

  /**
   * @param controlMs how long a control query waits in all
   * @param onTrouble told of each once
   */
  constructor(
    readonly at: DnsServer,
    private readonly controlMs: number,
    private readonly onTrouble: (trouble: ServerTrouble) => void = () => undefined,
  ) {
    this.label = formatDnsServer(at);
  }

  /** It answered something, as only a working server does. */
  worked(withEdns: boolean): void {
    this.workedAt.any = performance.now();
    if (withEdns) this.workedAt.edns = this.ednsAnsweredAt = this.workedAt.any;
  }

  workedSince(since: number, form: QueryForm): boolean {
    return this.workedAt[form] >= since;
  }

  /** Put off: others are asked before it for a while. */
  avoid(): void {
    this.avoidedUntil = performance.now() + AVOIDED_MS;
  }

  get avoided(): boolean {
    return this.avoidedUntil > performance.now();
  }

  /** It refused EDNS, or answered without it what it did not with it: by chance, where it has answered EDNS lately. */
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

  /** It said that there is none, and did not find that out from others. */
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
    ];
  }

  /**
   * Whether it has worked since that moment, asked with the control query where that is not known: any readable answer
   * will do but that it fails or refuses. Who cannot say where the root is reaches nobody, or serves us no more. No control
   * query is sent while another is on its way, or within 5 s of one that went unanswered.
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

  /** Ends a control query under way; it counts as unanswered. */
  close(): void {
    this.control?.stop();
  }

  /** With EDNS where that is not known to fail, and then without: as questions are asked. */
  private sendControl(): Control {
    let stop = (): void => undefined;
    const over = new Promise<void>((resolve) => {
      const sockets: (() => void)[] = [];
      const timers: NodeJS.Timeout[] = [];
      const expectsEdns = this.speaksEdns;
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
        if (faults === 2) end(false);
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
        setTimeout(stop, this.controlMs),
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

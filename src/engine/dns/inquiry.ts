import { randomInt } from 'node:crypto';
import { encodeQuery, RCODE, readAnswer, withId, type DnsMessage, type Question } from './dns-message.js';
import { failureOf } from './interpretation.js';
import { HEALTH_REMEMBERED_MS, type NameServer, type QueryForm } from './name-server.js';
import type { DnsFailure } from './resolver.js';
import { exchangeTcp } from './tcp-exchange.js';
import { exchangeUdp } from './udp-exchange.js';

export type Transport = 'udp' | 'tcp';
export type Blame = 'domain' | 'resolver';

export type InquiryEnd =
  | {
      readonly kind: 'answered';
      readonly message: DnsMessage;
      readonly server: NameServer;
      readonly transport: Transport;
      readonly octets: number;
    }
  | { readonly kind: 'failed'; readonly why: DnsFailure; readonly blame: Blame };

/**
 * When to send the question again, as shares of the timeout; the last one ends the inquiry. With 3,000 ms: at 375,
 * 1,125 and 2,250 ms.
 */
const MOMENTS = [1 / 8, 3 / 8, 6 / 8, 1];

/** One datagram in flight, or the TCP connection that replaced it. */
interface Try {
  readonly server: NameServer;
  readonly edns: boolean;
  close: () => void;
}

/**
 * Asks the name servers one question until one answers or `timeoutMs` passes.
 *
 * Retries: a lost datagram is sent again to the next server, while earlier ones are still listened for, so that a slow
 * resolver is heard. After a fault (SERVFAIL, REFUSED, closed port) the next server is asked at once; after all have
 * failed the first is asked once more, a moment later. A message that is not the answer or is malformed never ends the
 * inquiry: it may be forged.
 *
 * EDNS: some servers and middleboxes fail for EDNS or drop it. A server not known to support it is next asked without,
 * and stays so for a while; one known to support it is asked without only as a last resort.
 *
 * Blame: the servers' health decides who caused a failure (decisions 6.2). It is checked while the attempts run, so
 * that it is known at the end; `timeout` blames the domain only if a server worked meanwhile.
 */
export class Inquiry {
  private readonly servers: readonly NameServer[];
  private readonly asked = new Set<NameServer>();
  private readonly open = new Set<Try>();
  private readonly faulty = new Set<NameServer>();
  /** Servers asked with EDNS, and without. */
  private readonly askedWith = new Set<NameServer>();
  private readonly askedWithout = new Set<NameServer>();
  /** Servers that answered EDNS with a failure. */
  private readonly failedWith = new Set<NameServer>();
  private readonly query: Buffer;
  private startedAt = 0;
  private tries = 0;
  private moment = 0;
  private faults = 0;
  private fault: DnsFailure | null = null;
  private sawMalformed = false;
  private over = false;
  private cancelled = false;
  private timer: NodeJS.Timeout | undefined;
  private healthTimer: NodeJS.Timeout | undefined;

  /** Calls `onEnd` once, never within `start` and never after `cancel`. */
  constructor(
    private readonly question: Question,
    servers: readonly NameServer[],
    private readonly timeoutMs: number,
    private readonly onEnd: (end: InquiryEnd) => void,
  ) {
    this.servers = [...servers].sort((one, other) => Number(one.avoided) - Number(other.avoided));
    this.query = encodeQuery(question, true);
  }

  start(): void {
    this.startedAt = performance.now();
    this.waitForNextMoment();
    this.askNextServer();
  }

  /**
   * For a caller with less time than the timeout: checks the servers' health early enough to know it after
   * `milliseconds`.
   */
  checkHealthWithin(milliseconds: number): void {
    if (this.over || this.healthTimer !== undefined || milliseconds >= this.timeoutMs * MOMENTS[0]!) return;
    this.healthTimer = setTimeout(() => this.checkHealth(), milliseconds);
  }

  /** Whom to blame if the caller gives up now. A question never sent is our own failure. */
  blameNow(): Blame {
    const since = this.healthySince();
    return [...this.asked].some((server) => server.workedSince(since, this.formOf(server))) ? 'domain' : 'resolver';
  }

  /** Closes all sockets; `onEnd` is not called. */
  cancel(): void {
    this.cancelled = true;
    this.release();
  }

  private release(): void {
    this.over = true;
    clearTimeout(this.timer);
    clearTimeout(this.healthTimer);
    for (const { close } of this.open) close();
    this.open.clear();
  }

  private waitForNextMoment(): void {
    const dueAt = this.startedAt + this.timeoutMs * MOMENTS[this.moment]!;
    this.timer = setTimeout(() => this.onMoment(), Math.max(0, dueAt - performance.now()));
  }

  private onMoment(): void {
    this.moment += 1;
    if (this.isLastMoment) return this.failUnlessAnswered();
    this.checkHealth();
    this.waitForNextMoment();
    this.askNextServer();
  }

  /** A process that was held up finds the answer and the end of its time at once: it reads what has come first. */
  private failUnlessAnswered(): void {
    setImmediate(() => {
      if (!this.over) this.fail();
    });
  }

  private get isLastMoment(): boolean {
    return this.moment === MOMENTS.length;
  }

  private askNextServer(): void {
    const server = this.servers[this.tries % this.servers.length]!;
    this.tries += 1;
    this.send(server);
  }

  private send(server: NameServer, edns = this.asksWithEdns(server)): void {
    const id = randomInt(0x1_0000);
    (edns ? this.askedWith : this.askedWithout).add(server);
    const query = edns ? this.query : encodeQuery(this.question, false);
    const attempt: Try = { server, edns, close: () => undefined };
    this.asked.add(server);
    this.open.add(attempt);
    attempt.close = exchangeUdp(
      server.at,
      withId(query, id),
      (bytes) => this.onDatagram(attempt, id, bytes),
      () => this.onFault(attempt, 'network'),
    );
  }

  private asksWithEdns(server: NameServer): boolean {
    if (!server.speaksEdns || this.failedWith.has(server)) return false;
    // A filter tells of itself only in EDNS.
    if (!this.askedWith.has(server) || this.fault === 'not_definite') return true;
    return server.knownForEdns && this.moment < MOMENTS.length - 1;
  }

  private onDatagram(attempt: Try, id: number, bytes: Buffer): void {
    const read = readAnswer(bytes, id, this.question);
    if (read.kind === 'malformed') this.sawMalformed = true;
    else if (read.kind === 'truncated') this.askOverTcp(attempt);
    else if (read.kind === 'message') this.onMessage(attempt, read.message, 'udp', bytes.length);
  }

  private askOverTcp(attempt: Try): void {
    const id = randomInt(0x1_0000);
    attempt.close();
    const onMessage = (bytes: Buffer): void => {
      const read = readAnswer(bytes, id, this.question);
      if (read.kind === 'message') this.onMessage(attempt, read.message, 'tcp', bytes.length);
      else this.onFault(attempt, 'malformed');
    };
    const query = withId(encodeQuery(this.question, attempt.edns), id);
    attempt.close = exchangeTcp(attempt.server.at, query, onMessage, () => this.onFault(attempt, 'network'));
  }

  private onMessage(attempt: Try, message: DnsMessage, transport: Transport, octets: number): void {
    const { server } = attempt;
    const why = failureOf(message, this.question);
    if (why === null) {
      if (!attempt.edns && this.askedWith.has(server)) server.failedEdns();
      server.worked(attempt.edns);
      const others = [...this.open].filter((other) => other.server !== server);
      for (const other of others) other.server.avoid();
      this.release();
      this.onEnd({ kind: 'answered', message, server, transport, octets });
    } else if (attempt.edns && refusesEdns(message)) {
      this.close(attempt);
      server.failedEdns();
      this.send(server, false);
    } else {
      if (why === 'not_definite') server.saidNoByItself(attempt.edns);
      this.onFault(attempt, why);
    }
  }

  private onFault(attempt: Try, why: DnsFailure): void {
    if (this.over) return;
    const { server } = attempt;
    this.close(attempt);
    this.fault = why;
    if (attempt.edns && why !== 'network' && why !== 'not_definite') this.failedWith.add(server);
    if (this.tries < this.servers.length) {
      this.count(server);
      return this.askNextServer();
    }
    if (this.failedWith.has(server) && !this.askedWithout.has(server) && !server.knownForEdns)
      return this.send(server, false);
    this.count(server);
    const triedEnough = this.faults > this.servers.length || this.moment === MOMENTS.length - 1;
    // Do not wait for an earlier datagram to a server that has failed since.
    const awaited = [...this.open].some((other) => !this.faulty.has(other.server));
    if (triedEnough && !awaited) this.fail();
  }

  private count(faulty: NameServer): void {
    this.faults += 1;
    this.faulty.add(faulty);
    this.checkHealthOf(faulty);
  }

  private close(attempt: Try): void {
    attempt.close();
    this.open.delete(attempt);
  }

  private checkHealth(): void {
    for (const server of this.asked) this.checkHealthOf(server);
  }

  private checkHealthOf(server: NameServer): void {
    void server.checkHealth(this.healthySince(), this.formOf(server));
  }

  /** Asked with EDNS only, a server must answer EDNS to count as working: it may never have seen the question. */
  private formOf(server: NameServer): QueryForm {
    return this.askedWithout.has(server) ? 'any' : 'edns';
  }

  /**
   * A server that answered with a failure is up, so its last few seconds count. A silent one may have died since, so
   * only an answer after the question clears it.
   */
  private healthySince(): number {
    const inWords = this.fault === 'servfail' || this.fault === 'refused' || this.fault === 'not_definite';
    return inWords ? performance.now() - HEALTH_REMEMBERED_MS : this.startedAt;
  }

  private fail(): void {
    const why = this.fault ?? (this.sawMalformed ? 'malformed' : 'timeout');
    const since = this.healthySince();
    this.release();
    let unknown = this.asked.size;
    let told = false;
    const tell = (works: boolean): void => {
      unknown -= 1;
      if (told || this.cancelled || (!works && unknown > 0)) return;
      told = true;
      this.onEnd({ kind: 'failed', why, blame: works ? 'domain' : 'resolver' });
    };
    for (const server of this.asked) void server.checkHealth(since, this.formOf(server)).then(tell);
  }
}

/** RFC 6891 7: the server predates EDNS, or knows no version of it. */
function refusesEdns({ rcode }: DnsMessage): boolean {
  return rcode === RCODE.formErr || rcode === RCODE.notImp || rcode === RCODE.badVers;
}

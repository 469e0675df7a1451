import type { Deadline } from '../deadline.js';
import { AnswerCache } from './answer-cache.js';
import { ConcurrencyLimit } from './concurrency-limit.js';
import type { Question } from './dns-message.js';
import type { DnsServer } from './dns-servers.js';
import { normalizeName } from './domain-name.js';
import { Inquiry, type InquiryEnd, type Transport } from './inquiry.js';
import { interpret, MAX_ALIASES, type Interpretation } from './interpretation.js';
import { HEALTH_REMEMBERED_MS, NameServer, type ServerTrouble } from './name-server.js';
import { presentAnswer } from './presentation.js';
import type { DnsAnswer, QueryOptions, RecordType, Resolver } from './resolver.js';

export interface DnsResolverOptions {
  /** In order of preference; at least one. */
  readonly servers: readonly DnsServer[];
  /**
   * Longest wait for one question, over all attempts, servers and TCP (DNS_TIMEOUT_MS), milliseconds. A deadline may
   * end it earlier.
   */
  readonly timeoutMs: number;
  /** Number of cached answers; 0 disables the cache. */
  readonly cacheEntries: number;
  /** Called once per question sent, however many callers share it, with the kind of answer or the reason of the failure. */
  readonly onAnswer?: (type: RecordType, outcome: string) => void;
  /** Called once for each trouble of a server (`ip:port`). */
  readonly onTrouble?: (server: string, trouble: ServerTrouble) => void;
  /** Clock of the cache: monotonic, in milliseconds. */
  readonly now?: () => number;
}

/** Most questions in shared, each with a few sockets at most; others wait. */
const MAX_INQUIRIES = 1_000;

type Failure = DnsAnswer & { readonly kind: 'failure' };
type Fact = Exclude<Interpretation, { kind: 'loop' }>;

/** The outcome of one question, and where it came from. */
interface Asked {
  readonly fact: Fact | Failure;
  readonly server: string | null;
  readonly transport: Transport | 'cache';
}

/** A question in shared, shared by everybody who asks it meanwhile. */
interface SharedInquiry {
  readonly inquiry: Inquiry;
  started: boolean;
  /** By requester, what ends its task: until the question is sent, it waits in the lines of all who ask it. */
  readonly tasks: Map<string, () => void>;
  /** The callers' callbacks. */
  readonly waiters: Set<(asked: Asked) => void>;
}

/**
 * A stub resolver that distinguishes what the system's resolver merges: NXDOMAIN, NODATA, the kinds of failure, and who
 * caused them. Caches answers for their TTL, negative ones too, but never failures. Concurrent equal questions share
 * one inquiry; each caller keeps its own deadline.
 */
export class DnsResolver implements Resolver {
  private readonly servers: readonly NameServer[];
  private readonly timeoutMs: number;
  private readonly cache: AnswerCache<Fact>;
  private readonly shared = new Map<string, SharedInquiry>();
  private readonly limit = new ConcurrencyLimit(MAX_INQUIRIES);
  private readonly onAnswer: DnsResolverOptions['onAnswer'];
  private closed = false;

  constructor({
    servers,
    timeoutMs,
    cacheEntries,
    onAnswer,
    onTrouble,
    now = () => performance.now(),
  }: DnsResolverOptions) {
    if (servers.length === 0) throw new RangeError('a resolver needs at least one server');
    this.servers = servers.map((at) => {
      const server: NameServer = new NameServer(at, timeoutMs / 2, (trouble) => onTrouble?.(server.label, trouble));
      return server;
    });
    this.timeoutMs = timeoutMs;
    this.onAnswer = onAnswer;
    this.cache = new AnswerCache(cacheEntries, now);
  }

  async query(name: string, type: RecordType, options: QueryOptions): Promise<DnsAnswer> {
    const normalized = normalizeName(name);
    if (normalized === null) throw new RangeError('not a domain name that can be asked for');
    const checkingDisabled = options.checkingDisabled === true;
    let question: Question = { name: normalized, type, checkingDisabled };
    let passed: string[] = [];
    let ttlSeconds = Number.POSITIVE_INFINITY;
    let authenticated = true;
    for (;;) {
      const fact = await this.ask(question, options);
      if (fact.kind === 'failure') return fact;
      ttlSeconds = Math.min(ttlSeconds, fact.ttlSeconds);
      authenticated &&= fact.authenticated;
      if (fact.kind !== 'alias') return passed.length === 0 ? fact : { ...fact, ttlSeconds, authenticated };

      passed = [...passed, ...fact.passed];
      if (passed.includes(fact.target) || passed.length > MAX_ALIASES) return CNAME_LOOP;
      const target = normalizeName(fact.target);
      if (target === null) return { kind: 'failure', why: 'malformed', blame: 'domain' };
      question = { name: target, type, checkingDisabled };
    }
  }

  /** The troubles of each server, in the order of the servers. */
  get troubles(): readonly (readonly ServerTrouble[])[] {
    return this.servers.map((server) => server.troubles);
  }

  /** Fails all questions in shared as our own failure and clears the cache. */
  close(): void {
    this.closed = true;
    for (const [key, shared] of this.shared) {
      shared.inquiry.cancel();
      this.answerWaiters(key, shared, failed('network', 'resolver'));
    }
    for (const server of this.servers) server.close();
    this.cache.clear();
  }

  private async ask(question: Question, options: QueryOptions): Promise<Fact | Failure> {
    const { trace } = options;
    if (trace === undefined) return (await this.lookUp(question, options)).fact;
    const startedAt = performance.now();
    const { fact, server, transport } = await this.lookUp(question, options);
    const tookMs = Math.round(performance.now() - startedAt);
    const { name, type } = question;
    trace({ kind: 'dns', name, type, answer: presentAnswer(fact), server, transport, tookMs });
    return fact;
  }

  private lookUp(question: Question, options: QueryOptions): Asked | Promise<Asked> {
    const { name, type, checkingDisabled } = question;
    const key = `${type} ${name}`;
    if (checkingDisabled) return this.shareInquiry(`${key} CD`, question, options);
    const fact = this.cache.get(key);
    if (fact !== undefined) return { fact, server: null, transport: 'cache' };
    return this.shareInquiry(key, question, options);
  }

  private shareInquiry(
    key: string,
    question: Question,
    { deadline, requester = '' }: QueryOptions,
  ): Asked | Promise<Asked> {
    if (this.closed) return failed('network', 'resolver');
    if (deadline.expired) return failed('timeout', this.blameUnasked());
    const shared = this.shared.get(key) ?? this.newInquiry(key, question);
    this.lineUp(shared, requester);
    shared.inquiry.checkHealthWithin(deadline.remainingMs() / 3);
    return this.awaitAnswer(key, question.type, shared, deadline);
  }

  private newInquiry(key: string, question: Question): SharedInquiry {
    const inquiry = new Inquiry(question, this.servers, this.timeoutMs, (end) => {
      const asked = this.conclude(key, question, end);
      this.onAnswer?.(question.type, asked.fact.kind === 'failure' ? asked.fact.why : asked.fact.kind);
      this.answerWaiters(key, shared, asked);
    });
    const shared: SharedInquiry = { inquiry, started: false, tasks: new Map(), waiters: new Set() };
    this.shared.set(key, shared);
    return shared;
  }

  /** The question is sent when it is the turn of the first of those who ask it. */
  private lineUp(shared: SharedInquiry, requester: string): void {
    const { inquiry, tasks } = shared;
    if (shared.started || tasks.has(requester)) return;
    const start = (): void => {
      shared.started = true;
      for (const [other, endTask] of tasks) if (other !== requester) endTask();
      inquiry.start();
    };
    tasks.set(requester, this.limit.acquire(requester, start));
  }

  /** Waits for the answer or the deadline; the last caller to leave cancels the inquiry. */
  private awaitAnswer(key: string, type: RecordType, shared: SharedInquiry, { signal }: Deadline): Promise<Asked> {
    const { inquiry, waiters } = shared;
    return new Promise((resolve) => {
      const leave = (asked: Asked): void => {
        signal.removeEventListener('abort', onDeadline);
        waiters.delete(leave);
        resolve(asked);
      };
      const onDeadline = (): void => {
        leave(failed('timeout', inquiry.blameNow()));
        if (waiters.size > 0) return;
        inquiry.cancel();
        this.onAnswer?.(type, 'abandoned');
        this.removeShared(key, shared);
      };
      waiters.add(leave);
      signal.addEventListener('abort', onDeadline, { once: true });
    });
  }

  private answerWaiters(key: string, shared: SharedInquiry, asked: Asked): void {
    this.removeShared(key, shared);
    for (const leave of shared.waiters) leave(asked);
  }

  private removeShared(key: string, shared: SharedInquiry): void {
    this.shared.delete(key);
    for (const endTask of shared.tasks.values()) endTask();
  }

  private conclude(key: string, question: Question, end: InquiryEnd): Asked {
    if (end.kind === 'failed') return failed(end.why, end.blame);
    const fact = interpret(end.message, question);
    const { label: server } = end.server;
    if (fact.kind === 'loop') return { fact: CNAME_LOOP, server, transport: end.transport };
    if (!question.checkingDisabled) this.cache.set(key, fact, end.octets);
    return { fact, server, transport: end.transport };
  }

  /** Who is to blame for a deadline that passed before the question was sent: the resolver, unless it is known to work. */
  private blameUnasked(): 'domain' | 'resolver' {
    const since = performance.now() - HEALTH_REMEMBERED_MS;
    return this.servers.some((server) => server.workedSince(since, 'any')) ? 'domain' : 'resolver';
  }
}

const CNAME_LOOP: Failure = { kind: 'failure', why: 'cname_loop', blame: 'domain' };

function failed(why: Failure['why'], blame: Failure['blame']): Asked {
  return { fact: { kind: 'failure', why, blame }, server: null, transport: 'udp' };
}

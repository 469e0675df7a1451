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
  /** In the order of preference; at least one. */
  readonly servers: readonly DnsServer[];
  /** Longest wait for one question, over all tries, servers and TCP (DNS_TIMEOUT_MS). A deadline may cut it. */
  readonly timeoutMs: number;
  /** Answers kept; 0 keeps none. */
  readonly cacheEntries: number;
  /** Told what became of each question that went out, however many had asked it: a kind of answer, or why it failed. */
  readonly onAnswer?: (type: RecordType, outcome: string) => void;
  /** Told once of each trouble of a server (`ip:port`). */
  readonly onTrouble?: (server: string, trouble: ServerTrouble) => void;
  /** Clock of the cache, in milliseconds that never go back. */
  readonly now?: () => number;
}

/** Questions under way at once, each with up to a few sockets; more wait their turn. */
const MAX_INQUIRIES = 1_000;

type Failure = DnsAnswer & { readonly kind: 'failure' };
type Fact = Exclude<Interpretation, { kind: 'loop' }>;

/** What became of one question, and where the answer came from. */
interface Asked {
  readonly fact: Fact | Failure;
  readonly server: string | null;
  readonly transport: Transport | 'cache';
}

/** A question under way, shared by all who ask it meanwhile. */
interface Flight {
  readonly inquiry: Inquiry;
  readonly giveBackPlace: () => void;
  /** Those who wait, each as the function that tells them. */
  readonly passengers: Set<(asked: Asked) => void>;
}

/**
 * A stub resolver that keeps apart what the system's resolver merges: NXDOMAIN, NODATA, the kinds of failure, and whose
 * fault they are. Answers, negative ones too, are kept for their TTL; a failure never is. The same question
 * asked twice at once is one inquiry, and each caller keeps its own deadline.
 */
export class DnsResolver implements Resolver {
  private readonly servers: readonly NameServer[];
  private readonly timeoutMs: number;
  private readonly cache: AnswerCache<Fact>;
  private readonly flights = new Map<string, Flight>();
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

  /** Of each server, in their order. */
  get troubles(): readonly (readonly ServerTrouble[])[] {
    return this.servers.map((server) => server.troubles);
  }

  /** Ends all questions under way, as failures of our own, and forgets everything. */
  close(): void {
    this.closed = true;
    for (const [key, flight] of this.flights) {
      flight.inquiry.cancel();
      this.land(key, flight, failed('network', 'resolver'));
    }
    for (const server of this.servers) server.close();
    this.cache.clear();
  }

  private async ask(question: Question, { deadline, trace }: QueryOptions): Promise<Fact | Failure> {
    if (trace === undefined) return (await this.lookUp(question, deadline)).fact;
    const startedAt = performance.now();
    const { fact, server, transport } = await this.lookUp(question, deadline);
    const tookMs = Math.round(performance.now() - startedAt);
    const { name, type } = question;
    trace({ kind: 'dns', name, type, answer: presentAnswer(fact), server, transport, tookMs });
    return fact;
  }

  private lookUp(question: Question, deadline: Deadline): Asked | Promise<Asked> {
    const { name, type, checkingDisabled } = question;
    const key = `${type} ${name}`;
    if (checkingDisabled) return this.fly(`${key} CD`, question, deadline);
    const fact = this.cache.get(key);
    if (fact !== undefined) return { fact, server: null, transport: 'cache' };
    return this.fly(key, question, deadline);
  }

  private fly(key: string, question: Question, deadline: Deadline): Asked | Promise<Asked> {
    if (this.closed) return failed('network', 'resolver');
    if (deadline.expired) return failed('timeout', this.blameUnasked());
    const flight = this.flights.get(key) ?? this.takeOff(key, question);
    flight.inquiry.checkHealthWithin(deadline.remainingMs() / 3);
    return this.travel(key, question.type, flight, deadline);
  }

  private takeOff(key: string, question: Question): Flight {
    const inquiry = new Inquiry(question, this.servers, this.timeoutMs, (end) => {
      const asked = this.conclude(key, question, end);
      this.onAnswer?.(question.type, asked.fact.kind === 'failure' ? asked.fact.why : asked.fact.kind);
      this.land(key, flight, asked);
    });
    const giveBackPlace = this.limit.enter(() => inquiry.start());
    const flight: Flight = { inquiry, giveBackPlace, passengers: new Set() };
    this.flights.set(key, flight);
    return flight;
  }

  /** Waits for the flight to land or the deadline to pass; the last to leave ends it. */
  private travel(key: string, type: RecordType, flight: Flight, { signal }: Deadline): Promise<Asked> {
    const { inquiry, passengers } = flight;
    return new Promise((resolve) => {
      const leave = (asked: Asked): void => {
        signal.removeEventListener('abort', onDeadline);
        passengers.delete(leave);
        resolve(asked);
      };
      const onDeadline = (): void => {
        leave(failed('timeout', inquiry.blameNow()));
        if (passengers.size > 0) return;
        inquiry.cancel();
        this.onAnswer?.(type, 'abandoned');
        this.retire(key, flight);
      };
      passengers.add(leave);
      signal.addEventListener('abort', onDeadline, { once: true });
    });
  }

  private land(key: string, flight: Flight, asked: Asked): void {
    this.retire(key, flight);
    for (const leave of flight.passengers) leave(asked);
  }

  private retire(key: string, flight: Flight): void {
    this.flights.delete(key);
    flight.giveBackPlace();
  }

  private conclude(key: string, question: Question, end: InquiryEnd): Asked {
    if (end.kind === 'failed') return failed(end.why, end.blame);
    const fact = interpret(end.message, question);
    const { label: server } = end.server;
    if (fact.kind === 'loop') return { fact: CNAME_LOOP, server, transport: end.transport };
    if (!question.checkingDisabled) this.cache.set(key, fact, end.octets);
    return { fact, server, transport: end.transport };
  }

  /** For a question whose time was over before it could be asked: ours, unless the resolver is known to be well. */
  private blameUnasked(): 'domain' | 'resolver' {
    const since = performance.now() - HEALTH_REMEMBERED_MS;
    return this.servers.some((server) => server.workedSince(since, 'any')) ? 'domain' : 'resolver';
  }
}

const CNAME_LOOP: Failure = { kind: 'failure', why: 'cname_loop', blame: 'domain' };

function failed(why: Failure['why'], blame: Failure['blame']): Asked {
  return { fact: { kind: 'failure', why, blame }, server: null, transport: 'udp' };
}

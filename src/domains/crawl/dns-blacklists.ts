import { AnswerCache } from '../../engine/dns/answer-cache.js';
import { Deadline } from '../../engine/deadline.js';
import type { DnsAnswer, Resolver } from '../../engine/dns/resolver.js';
import { passesSelfTest, readBlacklistAnswer, type BlacklistReading } from '../records/blacklist-answer.js';
import { blacklistQuestion, selfTestQuestions } from '../records/blacklist-question.js';
import type { Blacklist } from '../records/blacklist.js';
import type { PartQueries } from './part-queries.js';

/** Subjects to look up. */
export interface Suspects {
  /** Addresses of mail hosts. */
  readonly addresses: readonly string[];
  /** A registrable domain. */
  readonly domain: string;
}

/** The answers of one list about all subjects. */
export interface ListReadings {
  readonly list: Blacklist;
  readonly readings: readonly BlacklistReading[];
}

/** Whether a list passes its test, for metrics and operators. */
export interface ListState {
  /** Name of the list, without a customer's key. */
  readonly name: string;
  /** null: not tested yet. */
  readonly usable: boolean | null;
}

export interface DnsBlacklistsOptions {
  /** The list fails its test or does not answer: reported at most once an hour per list. */
  readonly onTrouble?: (name: string, why: string) => void;
  /** Monotonic clock, milliseconds. */
  readonly now?: () => number;
}

interface Test {
  usable: boolean | null;
  goodUntil: number;
  running: Promise<boolean> | null;
}

const PASSED_MS = 3_600_000;
const FAILED_MS = 300_000;
const TEST_MS = 10_000;
/** Many domains share a mail host: query lists about it once an hour, whatever their TTL. */
const REMEMBERED_SECONDS = 3600;
const MAX_REMEMBERED = 20_000;
const TROUBLE_EVERY_MS = 3_600_000;

/** Queries DNS blacklists for the crawl: tests each before trusting it (RFC 5782 5), and caches its answers. */
export class DnsBlacklists {
  private readonly tests = new Map<Blacklist, Test>();
  private readonly remembered: AnswerCache<{ readonly ttlSeconds: number; readonly reading: BlacklistReading }>;
  private readonly told = new Map<string, number>();
  private readonly now: () => number;

  constructor(
    private readonly lists: readonly Blacklist[],
    private readonly resolver: Resolver,
    private readonly options: DnsBlacklistsOptions = {},
  ) {
    this.now = options.now ?? (() => performance.now());
    this.remembered = new AnswerCache(MAX_REMEMBERED, this.now);
  }

  /** True if no list is configured. */
  get none(): boolean {
    return this.lists.length === 0;
  }

  get states(): readonly ListState[] {
    return this.lists.map((list) => ({ name: shownName(list), usable: this.tests.get(list)?.usable ?? null }));
  }

  /** Never rejects. A list that fails its test answers `error`. */
  query(suspects: Suspects, queries: PartQueries): Promise<readonly ListReadings[]> {
    return Promise.all(
      this.lists.map(async (list) => {
        if (!(await this.isUsable(list))) return { list, readings: ['error' as const] };
        const about = list.lists === 'ip' ? suspects.addresses : [suspects.domain];
        return { list, readings: await Promise.all(about.map((input) => this.read(list, input, queries))) };
      }),
    );
  }

  private async read(list: Blacklist, input: string, queries: PartQueries): Promise<BlacklistReading> {
    const name = blacklistQuestion(list, input);
    if (name === null) return 'error';
    const known = this.remembered.get(name);
    if (known !== undefined) return known.reading;
    const reading = readBlacklistAnswer(list, await queries.query(name, 'A'));
    if (reading === 'error') this.tell(list, 'it does not answer, or answers with an error');
    else this.remembered.set(name, { ttlSeconds: REMEMBERED_SECONDS, reading }, name.length);
    return reading;
  }

  private isUsable(list: Blacklist): Promise<boolean> {
    const test = this.tests.get(list) ?? { usable: null, goodUntil: Number.NEGATIVE_INFINITY, running: null };
    this.tests.set(list, test);
    if (test.usable !== null && this.now() < test.goodUntil) return Promise.resolve(test.usable);
    test.running ??= this.test(list).then((usable) => {
      test.usable = usable;
      test.goodUntil = this.now() + (usable ? PASSED_MS : FAILED_MS);
      test.running = null;
      if (!usable) this.tell(list, 'it fails its self-test');
      return usable;
    });
    return test.running;
  }

  private async test(list: Blacklist): Promise<boolean> {
    const { listed, unlisted } = selfTestQuestions(list);
    if (listed === null || unlisted === null) return false;
    const deadline = Deadline.after(TEST_MS);
    const ask = (name: string): Promise<DnsAnswer> => this.resolver.query(name, 'A', { deadline });
    const [yes, no] = await Promise.all([ask(listed), ask(unlisted)]);
    deadline.release();
    return passesSelfTest(list, { listed: yes, unlisted: no });
  }

  private tell(list: Blacklist, why: string): void {
    const name = shownName(list);
    const last = this.told.get(name) ?? Number.NEGATIVE_INFINITY;
    if (this.now() - last < TROUBLE_EVERY_MS) return;
    this.told.set(name, this.now());
    this.options.onTrouble?.(name, why);
  }
}

/** The end of a zone that is not in the table: its first labels may be a customer's key. */
function shownName({ name, zone }: Blacklist): string {
  return name === zone ? zone.split('.').slice(-2).join('.') : name;
}

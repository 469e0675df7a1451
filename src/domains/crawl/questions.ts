import type { Deadline } from '../../engine/deadline.js';
import { normalizeName } from '../../engine/dns/domain-name.js';
import type { DnsAnswer, RecordType, Resolver } from '../../engine/dns/resolver.js';
import type { Semaphore } from '../../platform/scheduling/semaphore.js';
import { textsOf, type Texts } from '../records/texts.js';

/** Whose fault it was that something stayed open. */
export type Trouble = 'none' | 'theirs' | 'ours';

/** DNS as one part of a crawl asks it: within its deadline, so many questions at once, with what went wrong noted. */
export class Questions {
  private noted: Trouble = 'none';

  constructor(
    private readonly resolver: Resolver,
    /** Of the crawl. A pool of all crawls would let those of slow domains hold up those of others. */
    private readonly places: Semaphore,
    readonly deadline: Deadline,
  ) {}

  get trouble(): Trouble {
    return this.noted;
  }

  /** Something could not be found out. What was ours once stays so. */
  note(trouble: Trouble): void {
    if (trouble === 'ours' || this.noted === 'none') this.noted = trouble;
  }

  /** Never rejects. A name that is too long for the DNS does not exist. */
  async ask(name: string, type: RecordType, more: { readonly checkingDisabled?: boolean } = {}): Promise<DnsAnswer> {
    if (normalizeName(name) === null) return { kind: 'nxdomain', ttlSeconds: 0, authenticated: false };
    const answer = await this.inTurn(() => this.resolver.query(name, type, { deadline: this.deadline, ...more }));
    if (answer.kind === 'failure') this.note(answer.blame === 'resolver' ? 'ours' : 'theirs');
    return answer;
  }

  /** Has the DNS asked when there is a place. */
  async inTurn<T>(work: () => Promise<T>): Promise<T> {
    await this.places.acquire();
    try {
      return await work();
    } finally {
      this.places.release();
    }
  }

  async texts(name: string): Promise<Texts> {
    return textsOf(await this.ask(name, 'TXT'));
  }
}

import type { Deadline } from '../../engine/deadline.js';
import { normalizeName } from '../../engine/dns/domain-name.js';
import type { DnsAnswer, RecordType, Resolver } from '../../engine/dns/resolver.js';
import type { Semaphore } from '../../platform/scheduling/semaphore.js';
import { textsOf, type Texts } from '../records/texts.js';

/** Which side caused a failure. */
export type Trouble = 'none' | 'theirs' | 'ours';

/** DNS queries of one part of a crawl: within its deadline, limited in number, with failures noted. */
export class PartQueries {
  private noted: Trouble = 'none';

  constructor(
    private readonly resolver: Resolver,
    /** Permits of the crawl. With permits shared by all crawls, slow domains would hold up others. */
    private readonly permits: Semaphore,
    readonly deadline: Deadline,
  ) {}

  get trouble(): Trouble {
    return this.noted;
  }

  /** Notes a failure. A failure of our own side is never overwritten. */
  note(trouble: Trouble): void {
    if (trouble === 'ours' || this.noted === 'none') this.noted = trouble;
  }

  /** Never rejects. A name too long for DNS does not exist. */
  async query(name: string, type: RecordType, more: { readonly checkingDisabled?: boolean } = {}): Promise<DnsAnswer> {
    if (normalizeName(name) === null) return { kind: 'nxdomain', ttlSeconds: 0, authenticated: false };
    const answer = await this.withPermit(() => this.resolver.query(name, type, { deadline: this.deadline, ...more }));
    if (answer.kind === 'failure') this.note(answer.blame === 'resolver' ? 'ours' : 'theirs');
    return answer;
  }

  /** Queries DNS once a permit is free. */
  async withPermit<T>(work: () => Promise<T>): Promise<T> {
    await this.permits.acquire();
    try {
      return await work();
    } finally {
      this.permits.release();
    }
  }

  async texts(name: string): Promise<Texts> {
    return textsOf(await this.query(name, 'TXT'));
  }
}

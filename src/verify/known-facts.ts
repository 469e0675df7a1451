import type { Address } from '../engine/address/address.js';
import type { MailProvider } from '../engine/smtp/provider.js';
import type { Mode } from '../engine/verdict/result.js';
import type { CatchAllRepository } from '../domains/catch-all/catch-all.repository.js';
import type { DomainRecords } from '../domains/store/domain-records.js';
import type { AddressVault } from './address-vault/address-vault.js';
import type { CachedCheck } from './cache/cached-check.js';
import type { CheckCacheRepository, CheckOnRecord } from './cache/check-cache.repository.js';
import { isTransient } from './cache/life.js';
import { serves, type ServiceTerms } from './cache/serves.js';
import type { KnownDomain } from './judge.js';
import type { PendingState } from './pending/pending-probe.js';
import type { PendingProbesRepository } from './pending/pending-probes.repository.js';

export interface Asked {
  readonly mode: Mode;
  /** Oldest check that may answer, seconds; null: as old as its life allows. */
  readonly maxAgeSeconds: number | null;
}

/** What is known of one address before anybody is asked. */
export interface Known {
  readonly hash: string;
  /** Answers the call. */
  readonly cached: CachedCheck | null;
  /** There was a check that is too old for this call. */
  readonly stale: boolean;
  /** When the latest check on record ran; null: there is none. */
  readonly lastCheckedAt: Date | null;
  /** A transient answer that a probe under way is about to replace: better than none when time is up. */
  readonly lastResort: CachedCheck | null;
  readonly domain: KnownDomain;
  readonly pending: PendingState | null;
}

export interface KnownFactsParts {
  readonly vault: Pick<AddressVault, 'hashes'>;
  readonly cache: Pick<CheckCacheRepository, 'findWithDomains'>;
  readonly catchAlls: Pick<CatchAllRepository, 'find'>;
  readonly records: Pick<DomainRecords, 'look'>;
  readonly pending: Pick<PendingProbesRepository, 'find'>;
  readonly findProvider: (mailHost: string) => MailProvider | null;
}

const NOTHING_ON_RECORD: ReadonlyMap<string, CheckOnRecord> = new Map();
const NOTHING_PENDING: ReadonlyMap<string, PendingState> = new Map();

/** Looks addresses up: a few queries for all of them, however many there are. */
export class KnownFacts {
  constructor(private readonly parts: KnownFactsParts) {}

  /** @returns what is known of each, in their order */
  async look(addresses: readonly Address[], { mode, maxAgeSeconds }: Asked): Promise<Known[]> {
    const { vault, cache, records, pending } = this.parts;
    const hashes = addresses.map((address) => vault.hashes(address));
    // A quick call is answered at quick depth, whatever is cached (decisions 6.7).
    const [rows, crawled] = await Promise.all([
      mode === 'quick' ? NOTHING_ON_RECORD : cache.findWithDomains(hashes.flat()),
      records.look(addresses.map(({ domain }) => domain)),
    ]);
    const found = hashes.map((own) => onRecord(rows, own));
    const terms = { mode, maxAgeSeconds, now: new Date(), randomMeansSomething: this.randomMeansSomething };
    const checks = hashes.map((own, i) => checkOf(own[0]!, found[i]?.check, terms));
    const open = mode === 'quick' ? [] : checks.filter(({ cached }) => cached === null || isTransient(cached.facts));
    const [catchAlls, states] = await Promise.all([
      this.catchAllsOf(addresses, found),
      open.length === 0 ? NOTHING_PENDING : pending.find(open.map(({ hash }) => hash)),
    ]);
    return checks.map((check, i) => {
      const { domain } = addresses[i]!;
      const catchAll = isRecent(catchAlls.get(domain), maxAgeSeconds, terms.now);
      const known: Known = { ...check, domain: { catchAll, crawled: crawled.get(domain) ?? null } };
      return withPending(known, states.get(check.hash));
    });
  }

  /** Those of addresses with a check on record came with it. */
  private async catchAllsOf(
    addresses: readonly Address[],
    found: readonly (CheckOnRecord | undefined)[],
  ): Promise<ReadonlyMap<string, Date>> {
    const known = new Map<string, Date>();
    const unknown = new Set<string>();
    addresses.forEach(({ domain }, i) => {
      const record = found[i];
      if (record === undefined) unknown.add(domain);
      else if (record.catchAllAt !== null) known.set(domain, record.catchAllAt);
    });
    if (unknown.size === 0) return known;
    return new Map([...known, ...(await this.parts.catchAlls.find([...unknown]))]);
  }

  async lookOne(address: Address, asked: Asked): Promise<Known> {
    const [known] = await this.look([address], asked);
    if (known === undefined) throw new Error('an address was not looked up');
    return known;
  }

  private readonly randomMeansSomething = (mailHost: string): boolean =>
    this.parts.findProvider(mailHost)?.randomProbeMeaningful ?? true;
}

/** Under the current key of the vault, or an older one. */
function onRecord(rows: ReadonlyMap<string, CheckOnRecord>, hashes: readonly string[]): CheckOnRecord | undefined {
  for (const hash of hashes) {
    const found = rows.get(hash);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What the check on record is good for. @param hash under the current key */
function checkOf(hash: string, row: CachedCheck | undefined, terms: ServiceTerms): Omit<Known, 'domain'> {
  const service = row && serves(row, terms);
  return {
    hash,
    cached: service === 'serves' ? row! : null,
    stale: service === 'stale',
    lastCheckedAt: row?.checkedAt ?? null,
    lastResort: null,
    pending: null,
  };
}

/** While a probe is under way, what was a passing difficulty before does not answer for it (decisions 6.8). */
function withPending(known: Known, state: PendingState | undefined): Known {
  if (state === undefined) return known;
  if (known.cached === null || state.kind !== 'due') return { ...known, pending: state };
  return { ...known, cached: null, lastResort: known.cached, pending: state };
}

function isRecent(checkedAt: Date | undefined, maxAgeSeconds: number | null, now: Date): boolean {
  if (checkedAt === undefined) return false;
  return maxAgeSeconds === null || now.getTime() - checkedAt.getTime() < maxAgeSeconds * 1000;
}

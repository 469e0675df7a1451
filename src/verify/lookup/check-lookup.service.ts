import { Injectable } from '@nestjs/common';
import type { Address } from '../../engine/address/address.js';
import type { Mode } from '../../engine/verdict/result.js';
import { CatchAllRepository } from '../../domains/catch-all/catch-all.repository.js';
import type { DomainRecord } from '../../domains/store/domain-record.js';
import { DomainRecords } from './domain-records.js';
import { AddressVault } from '../address-vault/address-vault.js';
import type { CachedCheck } from '../cache/cached-check.js';
import { CheckCacheRepository, type CheckOnRecord } from '../cache/check-cache.repository.js';
import { isTransient } from '../cache/life.js';
import { serves, type ServiceTerms } from '../cache/serves.js';
import type { KnownDomain } from './judge.js';
import type { PendingState } from '../probes/pending-probe.js';
import { PendingProbesRepository } from '../probes/pending-probes.repository.js';

export interface Asked {
  /** The caller's account: new domains are crawled and mail hosts probed on its behalf. */
  readonly account: string;
  readonly mode: Mode;
  /** Oldest check that may answer, seconds; null: as old as its life allows. */
  readonly maxAgeSeconds: number | null;
}

/** Everything known of one address before any DNS or SMTP request. */
export interface Known {
  /** Address hash under the vault's current key. Empty for a quick call, which reads and stores nothing by address. */
  readonly hash: string;
  /** The cached check that answers the call. */
  readonly cached: CachedCheck | null;
  /** There was a check, too old for this call. */
  readonly stale: boolean;
  /** When the latest cached check ran; null: there is none. */
  readonly lastCheckedAt: Date | null;
  /** A transient result that a pending probe is about to replace: the fallback when time is up. */
  readonly lastResort: CachedCheck | null;
  readonly domain: KnownDomain;
  readonly pending: PendingState | null;
}

/** What the record says of one address. */
type KnownOfAddress = Omit<Known, 'domain'>;

const NOTHING_FURTHER: ReadonlyMap<string, Date> = new Map();
const NOTHING_PENDING: ReadonlyMap<string, PendingState> = new Map();
/** Of an address that nobody has checked. */
export const NOTHING_OF_ADDRESS: KnownOfAddress = {
  hash: '',
  cached: null,
  stale: false,
  lastCheckedAt: null,
  lastResort: null,
  pending: null,
};

/** Looks up cached checks, domains and pending probes: a few queries for any number of addresses. */
@Injectable()
export class CheckLookupService {
  constructor(
    private readonly vault: AddressVault,
    private readonly cache: CheckCacheRepository,
    private readonly catchAlls: CatchAllRepository,
    private readonly records: DomainRecords,
    private readonly pending: PendingProbesRepository,
  ) {}

  /**
   * @param onMiss called as soon as no cached check answers one of them, while the rest is looked up
   * @returns one entry per address, in order
   */
  lookUp(addresses: readonly Address[], asked: Asked, onMiss?: () => void): Promise<Known[]> {
    // A quick call never uses cached checks (decisions 6.7).
    if (asked.mode === 'quick') return this.lookAtDomains(addresses, asked);
    return this.lookAtRecord(addresses, asked, onMiss);
  }

  private async lookAtDomains(addresses: readonly Address[], asked: Asked): Promise<Known[]> {
    const domains = distinctDomains(addresses);
    const crawling = this.records.lookUp(domains, asked.account);
    const reading = this.catchAlls.findCatchAlls(domains);
    const [catchAlls, crawled] = await both(reading, crawling);
    const now = new Date();
    return addresses.map(({ domain }) => ({
      domain: knownDomain(domain, catchAlls.get(domain), crawled, asked, now),
      ...NOTHING_OF_ADDRESS,
    }));
  }

  private async lookAtRecord(addresses: readonly Address[], asked: Asked, onMiss?: () => void): Promise<Known[]> {
    const { vault, cache, records } = this;
    const { account, mode, maxAgeSeconds } = asked;
    const hashes = addresses.map((address) => vault.hashes(address));
    const crawling = records.lookUp(distinctDomains(addresses), account);
    const [rows, crawled] = await both(cache.findWithDomains(hashes.flat()), crawling);
    const found = hashes.map((own) => onRecord(rows, own));
    const terms = { mode, maxAgeSeconds, now: new Date() };
    const checks = hashes.map((own, i) => checkOf(own[0]!, found[i]?.check, terms));
    if (checks.some(({ cached }) => cached === null)) onMiss?.();
    const knowing = this.lookFurther(addresses, checks, found);
    const [catchAlls, states] = knowing === null ? [NOTHING_FURTHER, NOTHING_PENDING] : await knowing;
    const latest = knowing === null ? checks : await this.latestOf(checks, states, terms);
    return latest.map((check, i) => {
      const { domain } = addresses[i]!;
      const catchAllAt = found[i] === undefined ? catchAlls.get(domain) : (found[i].catchAllAt ?? undefined);
      // The spread comes last: V8 takes several times as long for properties that follow one.
      const known = { domain: knownDomain(domain, catchAllAt, crawled, asked, terms.now), ...check };
      return withPending(known, states.get(check.hash));
    });
  }

  /**
   * Reads pending probes, and the domains of addresses without a cached check (the others came with theirs); null:
   * nothing is left to read.
   */
  private lookFurther(
    addresses: readonly Address[],
    checks: readonly KnownOfAddress[],
    found: readonly (CheckOnRecord | undefined)[],
  ): Promise<[ReadonlyMap<string, Date>, ReadonlyMap<string, PendingState>]> | null {
    const { catchAlls, pending } = this;
    const unrecorded = addresses.filter((_, i) => found[i] === undefined);
    const open = checks.filter(({ cached }) => cached === null || isTransient(cached.facts));
    if (unrecorded.length === 0 && open.length === 0) return null;
    return Promise.all([
      unrecorded.length === 0 ? NOTHING_FURTHER : catchAlls.findCatchAlls(distinctDomains(unrecorded)),
      open.length === 0 ? NOTHING_PENDING : pending.findStates(open.map(({ hash }) => hash)),
    ]);
  }

  /**
   * A transient check without a pending probe is read again: the probe that replaced it may have ended after the read of
   * the checks and before that of pending probes.
   */
  private async latestOf(
    checks: readonly KnownOfAddress[],
    states: ReadonlyMap<string, PendingState>,
    terms: ServiceTerms,
  ): Promise<readonly KnownOfAddress[]> {
    const doubtful = checks.filter(({ hash, cached }) => cached && isTransient(cached.facts) && !states.has(hash));
    if (doubtful.length === 0) return checks;
    const rows = await this.cache.findWithDomains(doubtful.map(({ hash }) => hash));
    return checks.map((check) => {
      const row = rows.get(check.hash);
      return row === undefined ? check : checkOf(check.hash, row.check, terms);
    });
  }

  lookUpOne(address: Address, asked: Asked, onMiss?: () => void): Promise<Known> {
    return this.lookUp([address], asked, onMiss).then(([known]) => known!);
  }
}

function distinctDomains(addresses: readonly Address[]): string[] {
  return [...new Set(addresses.map(({ domain }) => domain))];
}

/** A value that is available costs no promise. */
function both<A, B>(one: Promise<A>, other: B | Promise<B>): Promise<[A, B]> {
  return other instanceof Promise ? Promise.all([one, other]) : one.then((found) => [found, other]);
}

/** Only an enhanced check finds out anew whether a domain accepts everybody, so only for it may that be too old. */
function knownDomain(
  domain: string,
  catchAllAt: Date | undefined,
  crawled: ReadonlyMap<string, DomainRecord>,
  { mode, maxAgeSeconds }: Asked,
  now: Date,
): KnownDomain {
  const oldest = mode === 'enhanced' ? maxAgeSeconds : null;
  return { catchAll: isRecent(catchAllAt, oldest, now), crawled: crawled.get(domain) ?? null };
}

/** Under the vault's current key, or an older one. */
function onRecord(rows: ReadonlyMap<string, CheckOnRecord>, hashes: readonly string[]): CheckOnRecord | undefined {
  for (const hash of hashes) {
    const found = rows.get(hash);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** How the cached check serves the call. @param hash under the current key */
function checkOf(hash: string, row: CachedCheck | undefined, terms: ServiceTerms): KnownOfAddress {
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

/** While a probe is pending, an earlier transient result does not answer for it (decisions 6.8). */
function withPending(known: Known, state: PendingState | undefined): Known {
  if (state === undefined) return known;
  if (known.cached === null || state.kind !== 'due') return { ...known, pending: state };
  return { ...known, cached: null, lastResort: known.cached, pending: state };
}

function isRecent(checkedAt: Date | undefined, maxAgeSeconds: number | null, now: Date): boolean {
  if (checkedAt === undefined) return false;
  return maxAgeSeconds === null || now.getTime() - checkedAt.getTime() < maxAgeSeconds * 1000;
}

import type { Freshness } from '../verify.response.js';
import { DOMAIN_PROFILES } from './domain-profiles.js';
import { fixture, type Fixture } from './fixture.js';
import { PROBES } from './probes.js';

/** A fixture and its share: how many of a hundred local parts get it. */
interface Share {
  readonly weight: number;
  /** `domain` and `freshness` apply if they are stated; else they are derived too. */
  readonly fixture: Fixture;
  readonly domainStated: boolean;
  readonly freshnessStated: boolean;
}

function share(weight: number, stated: Partial<Fixture>): Share {
  return {
    weight,
    fixture: fixture(stated),
    domainStated: stated.domain !== undefined,
    // A result without a probe is always fresh.
    freshnessStated: stated.freshness !== undefined || (stated.probe ?? null) === null,
  };
}

/**
 * The results of local parts that are not in the table: every verdict and reason that an address can keep. Not
 * `bad_syntax`, since these are addresses, nor `verification_pending`, which would never end. The same input must give
 * the same result for ever: add, remove, move or reweight no row.
 */
const SHARES: readonly Share[] = [
  share(32, { probe: PROBES.accepted }),
  share(8, { probe: PROBES.accepted, said: { freemail: true }, domain: DOMAIN_PROFILES.freemail }),
  share(3, { probe: PROBES.accepted, said: { relay: 'SimpleLogin' } }),
  share(1, { probe: PROBES.accepted, domain: DOMAIN_PROFILES.parked }),
  // It was probed before it was known as a trap.
  share(2, { probe: PROBES.accepted, said: { spamTrap: true }, freshness: 'cached_recent' }),
  share(1, { probe: PROBES.accepted, domain: DOMAIN_PROFILES.parkedAndListed }),
  share(2, { probe: PROBES.accepted, freshness: 'cached_recent', reasonKept: false }),
  share(12, { probe: PROBES.notFound }),
  share(2, { probe: PROBES.full }),
  share(3, { probe: PROBES.disabled }),
  share(6, { mailHosts: 'none', domain: DOMAIN_PROFILES.withoutMail }),
  share(2, { said: { blocked: { label: 'Impersonates a well-known brand' } }, domain: DOMAIN_PROFILES.disreputable }),
  share(5, { probe: PROBES.acceptedLikeAll, said: { catchAll: true } }),
  share(2, { said: { acceptsAll: 'always' } }),
  share(1, { probe: PROBES.acceptedUnclearly, said: { acceptsAll: 'sometimes' } }),
  share(5, { said: { disposable: true }, domain: DOMAIN_PROFILES.disposable }),
  share(4, { said: { role: true } }),
  share(3, { probe: PROBES.greylisted }),
  share(2, { probe: PROBES.timeout }),
  share(1, { probe: PROBES.noConnection }),
  share(1, { probe: PROBES.refusedUs }),
  share(1, { mailHosts: 'broken', domain: null }),
  share(1, { said: { spamTrap: true } }),
];

const BY_HUNDREDTH: readonly Share[] = SHARES.flatMap((each) => Array.from({ length: each.weight }, () => each));

const DOMAINS = [
  DOMAIN_PROFILES.ordinary,
  DOMAIN_PROFILES.better,
  DOMAIN_PROFILES.best,
  DOMAIN_PROFILES.bare,
  DOMAIN_PROFILES.disreputable,
  DOMAIN_PROFILES.halfKnown,
  DOMAIN_PROFILES.school,
  DOMAIN_PROFILES.agency,
  DOMAIN_PROFILES.accessProvider,
  null,
];

const FRESHNESS: readonly Freshness[] = ['fresh', 'cached_recent', 'cached_stale_refreshed'];

/**
 * The fixture of a local part that is not in the table, by numbers derived from it: the first picks the fixture, the
 * second the domain, the third the freshness.
 */
export function derivedFixture([first = 0, second = 0, third = 0]: readonly number[]): Fixture {
  const { fixture: stated, domainStated, freshnessStated } = at(BY_HUNDREDTH, first);
  const { mailHosts, probe, deferred, said, reasonKept } = stated;
  const domain = domainStated ? stated.domain : at(DOMAINS, second);
  const freshness = freshnessStated ? stated.freshness : at(FRESHNESS, third);
  // No spread with properties after it: V8 makes a slow object of that.
  return { mailHosts, probe, deferred, said, domain, freshness, reasonKept };
}

function at<T>(choices: readonly T[], number: number): T {
  return choices[number % choices.length]!;
}

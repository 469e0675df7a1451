import { DOMAIN_PROFILES } from './domain-profiles.js';
import { fixture, type Fixture } from './fixture.js';
import { PROBES } from './probes.js';

const catchAll = fixture({ probe: PROBES.acceptedLikeAll, said: { catchAll: true } });

/** Results by local part: the table of the contract. */
export const NAMED_FIXTURES: ReadonlyMap<string, Fixture> = new Map([
  ['valid', fixture({ probe: PROBES.accepted })],
  ['invalid', fixture({ probe: PROBES.notFound })],
  ['catch-all', catchAll],
  ['catchall', catchAll],
  ['disposable', fixture({ said: { disposable: true }, domain: DOMAIN_PROFILES.disposable })],
  ['role', fixture({ said: { role: true } })],
  ['unknown', fixture({ probe: PROBES.greylisted })],
  ['pending', fixture({ deferred: true })],
]);

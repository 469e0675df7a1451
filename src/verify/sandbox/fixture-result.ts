import type { Address, ParsedAddress } from '../../engine/address/address.js';
import type { MailHostFacts } from '../../engine/check.js';
import type { Mode } from '../../engine/verdict/result.js';
import { judge, judgeCached } from '../lookup/judge.js';
import type { VerifyResult } from '../verify.response.js';
import { domainRecordOf } from './domain-record-of.js';
import type { Fixture } from './fixture.js';
import { knowledgeOf } from './fixture-knowledge.js';

/** Longest name that two letters and a dot can precede. */
const MAX_PARENT_LENGTH = 250;

/** The result of an address with a fixture's facts, judged and shaped by the code for live results. */
export function fixtureResult(
  fixture: Fixture,
  parsed: ParsedAddress & { ok: true },
  mode: Mode,
  checkedAt: Date,
): VerifyResult {
  const { address } = parsed;
  const { probe, deferred, said, freshness } = fixture;
  const mailHosts = mailHostsOf(fixture, address);
  const facts = { mailHosts, probe };
  const knowledge = knowledgeOf(said);
  const domain = { catchAll: said.catchAll === true, crawled: recordOf(fixture, address, mailHosts) };
  // The mode only decides whether there is an SMTP diagnosis (decisions 5.7).
  const depth: Mode = mode === 'enhanced' ? 'enhanced' : 'standard';
  if (fixture.reasonKept) {
    return judge({ parsed, mode: depth, deferred, facts, checkedAt }, knowledge, domain, freshness).result;
  }
  const cached = {
    hash: '',
    domain: address.domain,
    facts,
    depth: 'enhanced',
    checkedAt,
    expiresAt: checkedAt,
  } as const;
  return judgeCached({ ...cached, engineVersion: 0 }, { parsed, mode: depth }, knowledge, domain, freshness).result;
}

function mailHostsOf({ mailHosts }: Fixture, { domain }: Address): MailHostFacts {
  if (mailHosts === 'none') return { kind: 'none', why: 'nxdomain', ttlSeconds: 0 };
  if (mailHosts === 'broken') return { kind: 'broken', why: 'sandbox' };
  const primary = domain.length > MAX_PARENT_LENGTH ? domain : `mx.${domain}`;
  return { kind: 'found', primary, exchanges: [primary] };
}

function recordOf(fixture: Fixture, { domain }: Address, mailHosts: MailHostFacts) {
  if (fixture.domain === null) return null;
  return domainRecordOf(domain, mailHosts.kind === 'found' ? mailHosts.exchanges : [], fixture.domain);
}

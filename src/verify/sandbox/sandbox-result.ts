import type { Address, ParsedAddress } from '../../engine/address/address.js';
import type { MailHostFacts } from '../../engine/check.js';
import { NOTHING_KNOWN } from '../../engine/domain-knowledge.js';
import type { Mode } from '../../engine/verdict/result.js';
import { judge, judgeCached } from '../judge.js';
import type { VerifyResult } from '../verify.response.js';
import { derivedFixture } from './derived-fixtures.js';
import { domainRecordOf } from './domain-record-of.js';
import type { Fixture } from './fixture.js';
import { knowledgeOf } from './fixture-knowledge.js';
import { hashWords } from './hash-words.js';
import { NAMED_FIXTURES } from './named-fixtures.js';

/** Checks of the sandbox ran in this year. */
const YEAR_BEGINS_MS = Date.UTC(2025, 0, 1);
const YEAR_SECONDS = 365 * 24 * 60 * 60;
/** Longest name in front of which a label of two letters still makes a name. */
const MAX_PARENT_LENGTH = 250;

/**
 * The result of an address, from its local part alone: facts of a fixture, judged and shaped as those of a check are.
 * Nobody is asked, nothing is remembered, and there is no clock: the same input gives the same bytes.
 */
export function sandboxResult(parsed: ParsedAddress, mode: Mode): VerifyResult {
  if (!parsed.ok) return noAddress(parsed);
  const { address } = parsed;
  const words = hashWords(address.localPart);
  const fixture = NAMED_FIXTURES.get(address.localPart) ?? derivedFixture(words);
  const { probe, deferred, said, freshness } = fixture;
  const mailHosts = mailHostsOf(fixture, address);
  const facts = { mailHosts, probe };
  const knowledge = knowledgeOf(said);
  const domain = { catchAll: said.catchAll === true, crawled: recordOf(fixture, address, mailHosts) };
  const check = { parsed, mode: depthOf(mode), deferred, facts, checkedAt: instantOf(words) };
  if (fixture.reasonKept) return judge(check, knowledge, domain, freshness).result;
  const cached = { ...check, hash: '', domain: address.domain, depth: 'enhanced', expiresAt: check.checkedAt } as const;
  return judgeCached({ ...cached, engineVersion: 0 }, check, knowledge, domain, freshness).result;
}

/** As live, but for the moment. */
function noAddress(parsed: ParsedAddress & { ok: false }): VerifyResult {
  const facts = { mailHosts: null, probe: null };
  const check = {
    parsed,
    mode: 'standard',
    deferred: false,
    facts,
    checkedAt: instantOf(hashWords(parsed.text)),
  } as const;
  return judge(check, knowledgeOf({}), NOTHING_KNOWN, 'fresh').result;
}

/** The mode of a call says whether there is an SMTP diagnosis, and nothing else (decisions 5.7). */
function depthOf(mode: Mode): Mode {
  return mode === 'enhanced' ? 'enhanced' : 'standard';
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

/** A moment in the past, by the fourth number. */
function instantOf([, , , fourth = 0]: readonly number[]): Date {
  return new Date(YEAR_BEGINS_MS + (fourth % YEAR_SECONDS) * 1000);
}

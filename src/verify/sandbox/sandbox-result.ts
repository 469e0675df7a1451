import type { ParsedAddress } from '../../engine/address/address.js';
import { NOTHING_KNOWN } from '../../engine/domain-knowledge.js';
import type { Mode } from '../../engine/verdict/result.js';
import { judge } from '../lookup/judge.js';
import type { VerifyResult } from '../verify.response.js';
import { derivedFixture } from './derived-fixtures.js';
import { knowledgeOf } from './fixture-knowledge.js';
import type { Said } from './fixture.js';
import { fixtureResult } from './fixture-result.js';
import { hashWords } from './hash-words.js';
import { NAMED_FIXTURES } from './named-fixtures.js';

/** Sandbox checks are dated in this year. */
const YEAR_BEGINS_MS = Date.UTC(2025, 0, 1);
const YEAR_SECONDS = 365 * 24 * 60 * 60;
const NOTHING_SAID: Said = {};

/**
 * The result of an address, by its local part alone. Asks no host, stores nothing and reads no clock: the same input
 * gives the same bytes.
 */
export function sandboxResult(parsed: ParsedAddress, mode: Mode): VerifyResult {
  if (!parsed.ok) return noAddress(parsed);
  const { localPart } = parsed.address;
  const words = hashWords(localPart);
  return fixtureResult(NAMED_FIXTURES.get(localPart) ?? derivedFixture(words), parsed, mode, instantOf(words));
}

/** As live, except for the time. */
function noAddress(parsed: ParsedAddress & { ok: false }): VerifyResult {
  const facts = { mailHosts: null, probe: null };
  const checkedAt = instantOf(hashWords(parsed.text));
  return judge(
    { parsed, mode: 'standard', deferred: false, facts, checkedAt },
    knowledgeOf(NOTHING_SAID),
    NOTHING_KNOWN,
    'fresh',
  ).result;
}

/** A time in the past, by the fourth number. */
function instantOf([, , , fourth = 0]: readonly number[]): Date {
  return new Date(YEAR_BEGINS_MS + (fourth % YEAR_SECONDS) * 1000);
}

import { checkFacts, probeFacts } from '../../../test/factories/check-facts.js';
import { only } from '../../../test/factories/only.js';
import type { CatchAllRepository } from '../../domains/catch-all/catch-all.repository.js';
import type { Address } from '../../engine/address/address.js';
import { parseAddress } from '../../engine/address/parse-address.js';
import type { ProbeFacts } from '../../engine/smtp/prober.js';
import { ENGINE_VERSION } from '../../engine/engine-version.js';
import type { EngineProvider } from '../engine/engine-provider.js';
import type { DomainRecords } from '../lookup/domain-records.js';
import { knowledgeOf } from '../sandbox/fixture-knowledge.js';
import { EndedProbeJudge } from './ended-probe-judge.js';

const parsed = parseAddress('ada@example.com');
const { address } = parsed as { ok: true; address: Address };
const checkedAt = new Date('2026-01-02T00:00:00Z');
const before = new Date('2026-01-01T00:00:00Z');
const after = new Date('2026-01-03T00:00:00Z');

/** @param since when others see that the domain was found to accept everybody */
async function resultOf(random: ProbeFacts['random'], since: Date | null): Promise<unknown> {
  const judge = new EndedProbeJudge(
    only<EngineProvider>({ knowledge: knowledgeOf({}) }),
    only<CatchAllRepository>({ findCatchAlls: async () => new Map(since === null ? [] : [['example.com', since]]) }),
    only<DomainRecords>({ lookUp: () => new Map() }),
  );
  const check = { facts: checkFacts(probeFacts({ random })), checkedAt, engineVersion: ENGINE_VERSION };
  return (await judge.judge({ address, check }, 'standard')).result;
}

describe('what a probe found, as the next call is told', () => {
  it.each<[string, ProbeFacts['random'], Date | null, string]>([
    ['the first to show that the domain accepts everybody', 'accepted', null, 'catch_all'],
    ['the first to show that it does not any more', 'refused', before, 'valid'],
    ['one that another has refuted since', 'refused', after, 'catch_all'],
    ['one that shows neither, where nothing is known', 'not_asked', null, 'valid'],
    ['one that shows neither, where it is known', 'not_asked', before, 'catch_all'],
  ])('%s', async (_, random, since, expected) => {
    expect(await resultOf(random, since)).toBe(expected);
  });
});

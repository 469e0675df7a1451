import { checkFacts, probeFacts } from '../../../test/factories/check-facts.js';
import type { Mode } from '../../engine/verdict/result.js';
import { depthOf, reasonKept, type Depth } from './cached-check.js';

describe('a check on record', () => {
  it.each<[string, boolean, Mode, Depth]>([
    ['without a probe', false, 'quick', 'dns'],
    ['without a probe', false, 'standard', 'dns'],
    ['without a probe', false, 'enhanced', 'dns'],
    ['with a probe', true, 'standard', 'standard'],
    ['with a probe', true, 'enhanced', 'enhanced'],
  ])('%s (%s), requested %s, has the depth %s', (_, probed, mode, depth) => {
    expect(depthOf({ facts: checkFacts(probed ? probeFacts() : null), mode })).toBe(depth);
  });

  it('has a reason unless it was recorded before reasons were stored', () => {
    expect([0, 1, 7].map((engineVersion) => reasonKept({ engineVersion }))).toEqual([false, true, true]);
  });
});

import { callScriptFunction } from './script-function.js';

const isSatisfied = (wanted: object, installed: object, development = true) =>
  callScriptFunction('dependencies.mjs', 'isSatisfied', wanted, installed, { development });

describe('the check of installed dependencies', () => {
  const wanted = {
    '': { name: 'project' },
    'node_modules/a': { version: '1.0.0' },
    'node_modules/for-another-platform': { version: '2.0.0', optional: true },
  };

  it('passes if each is installed in its version, except optional ones', async () => {
    expect(await isSatisfied(wanted, { 'node_modules/a': { version: '1.0.0' } })).toBe(true);
  });

  it('fails if one is missing or has another version', async () => {
    expect(await isSatisfied(wanted, {})).toBe(false);
    expect(await isSatisfied(wanted, { 'node_modules/a': { version: '1.0.1' } })).toBe(false);
  });

  describe('where one is for development only', () => {
    const withTests = { ...wanted, 'node_modules/for-tests': { version: '3.0.0', dev: true } };
    const forUse = { 'node_modules/a': { version: '1.0.0' } };
    const all = { ...forUse, 'node_modules/for-tests': { version: '3.0.0' } };

    it('passes without it for a script that does not develop, and fails for one that does', async () => {
      expect(await isSatisfied(withTests, forUse, false)).toBe(true);
      expect(await isSatisfied(withTests, forUse, true)).toBe(false);
    });

    it('passes with it for both', async () => {
      expect(await isSatisfied(withTests, all, false)).toBe(true);
      expect(await isSatisfied(withTests, all, true)).toBe(true);
    });
  });
});

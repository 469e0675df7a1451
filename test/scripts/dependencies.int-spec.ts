import { callScriptFunction } from './script-function.js';

const isSatisfied = (wanted: object, installed: object) =>
  callScriptFunction('dependencies.mjs', 'isSatisfied', wanted, installed);

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
});

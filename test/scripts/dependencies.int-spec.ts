import { callScriptFunction } from './script-function.js';

const isSatisfied = (wanted: object, installed: object) =>
  callScriptFunction('dependencies.mjs', 'isSatisfied', wanted, installed);

describe('whether the dependencies are installed', () => {
  const wanted = {
    '': { name: 'project' },
    'node_modules/a': { version: '1.0.0' },
    'node_modules/for-another-platform': { version: '2.0.0', optional: true },
  };

  it('is so when each stands there in its version, optional ones aside', async () => {
    expect(await isSatisfied(wanted, { 'node_modules/a': { version: '1.0.0' } })).toBe(true);
  });

  it('is not so when one is missing or of another version', async () => {
    expect(await isSatisfied(wanted, {})).toBe(false);
    expect(await isSatisfied(wanted, { 'node_modules/a': { version: '1.0.1' } })).toBe(false);
  });
});

import { callScriptFunction } from './script-function.js';

const plan = (facts: object) => callScriptFunction('chromium.mjs', 'planChromium', facts);

it.each([
  [{ found: true, isRoot: false, hasApt: false }, 'nothing'],
  [{ found: false, isRoot: true, hasApt: true }, 'install'],
  [{ found: false, isRoot: false, hasApt: true }, 'tell'],
  [{ found: false, isRoot: true, hasApt: false }, 'tell'],
])('with %j, Chromium wants %s', async (facts, wanted) => {
  expect(await plan(facts)).toBe(wanted);
});

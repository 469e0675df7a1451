import { readdirSync } from 'node:fs';
import './service.js';

/**
 * Every client is tried with the same API and worker (`service.ts`): to start a pair takes more processor time than most of
 * them need. So this one file of tests runs all `*.shared-spec.ts` of its folder.
 */
describe.each(readdirSync(__dirname).filter((name) => name.endsWith('.shared-spec.ts')))('%s', (name) => {
  require(`./${name}`);
});

'use strict';

const { createRequire } = require('node:module');

const ofJest = createRequire(require.resolve('jest'));
const { default: Sequencer } = ofJest('@jest/test-sequencer');

/**
 * Begins with the longest files, whose size does not tell: whatever is long and begins last is waited for alone. Jest knows
 * by itself only where the tests have run before.
 */
const LONGEST = [
  'production-check.e2e-spec',
  'deferred-probes.e2e-spec',
  'jobs-chaos.e2e-spec',
  'demo.e2e-spec',
  'billing-crash.e2e-spec',
  'rolling-update.e2e-spec',
  'production-soak.e2e-spec',
  'crawl-faults.lab-spec',
  'soak.lab-spec',
  'bulk-differential.lab-spec',
  'job-lost.int-spec',
  'pending-worker.int-spec',
  'curated-lists.int-spec',
  'job-fairness.int-spec',
  'private-servers.int-spec',
  'domain-crawl.mta-spec',
];

module.exports = class LongFilesFirst extends Sequencer {
  async sort(tests) {
    const rank = ({ path }) => {
      const index = LONGEST.findIndex((name) => path.endsWith(`/${name}.ts`));
      return index === -1 ? LONGEST.length : index;
    };
    return [...(await super.sort(tests))].sort((a, b) => rank(a) - rank(b));
  }
};

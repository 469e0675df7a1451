'use strict';

const { createRequire } = require('node:module');

const ofJest = createRequire(require.resolve('jest'));
const { default: Sequencer } = ofJest('@jest/test-sequencer');

/**
 * Begins with the longest files, whose size does not tell: whatever is long and begins last is waited for alone. Jest knows
 * by itself only where the tests have run before.
 */
const LONGEST = [
  'deferred-probes.e2e-spec',
  'pending-worker.int-spec',
  'production-check.e2e-spec',
  'job-lost.int-spec',
  'failure-behaviour.e2e-spec',
  'jobs-chaos.e2e-spec',
  'galera.e2e-spec',
  'promoted-replica.e2e-spec',
  'verify-file.e2e-spec',
  'redis-election.e2e-spec',
  'rolling-update.e2e-spec',
  'attackers.e2e-spec',
  'clients.e2e-spec',
  'crawl-faults.lab-spec',
  'soak.lab-spec',
  'job-fairness.int-spec',
  'dns-health.lab-spec',
  'demo.e2e-spec',
  'production-soak.e2e-spec',
  'bulk-chaos.lab-spec',
  'curated-lists.int-spec',
  'billing-crash.e2e-spec',
  'bulk-differential.lab-spec',
  'private-servers.int-spec',
  'domain-crawl.mta-spec',
];
/** What is not among them: kinds whose tests wait before kinds whose tests compute, which end one soon after another. */
const KINDS = ['e2e', 'integration', 'mta', 'lab', 'contract', 'unit'];

module.exports = class LongFilesFirst extends Sequencer {
  async sort(tests) {
    const rank = ({ path, context }) => {
      const index = LONGEST.findIndex((name) => path.endsWith(`/${name}.ts`));
      return index === -1 ? LONGEST.length + KINDS.indexOf(context.config.displayName.name) : index;
    };
    return [...(await super.sort(tests))].sort((a, b) => rank(a) - rank(b));
  }
};

import { loadEngineConfig } from '../../src/platform/config/load-config.js';
import { LimitedPoliteness } from '../../src/platform/politeness/limited-politeness.js';
import { LocalThrottleStore } from '../../src/platform/politeness/local-throttle-store.js';
import { politenessOptions } from '../../src/platform/politeness/politeness-options.js';
import { createEngine, type RunningEngine } from '../../src/verify/engine/create-engine.js';
import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { ACCEPTED } from '../lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds } from '../lab/world.js';
import { checkAddress } from './engine-under-test.js';

const world = joinWorlds(
  domainWithHost('refuses-us.test', { mail: '550 5.7.1 Your address is blocked' }),
  domainWithHost('refuses-recipients.test', { otherRecipients: '550 5.7.25 No reverse DNS for {client}' }),
  domainWithHost('knows.test', { recipients: { real: ACCEPTED } }),
);

describe('checks at one domain, one after another', () => {
  let laboratory: Laboratory;
  let running: RunningEngine;
  let now: number;
  beforeAll(async () => {
    laboratory = await startLaboratory(world);
  });
  beforeEach(() => {
    const settings = loadEngineConfig({
      ...laboratoryEnvironment(laboratory),
    });
    const { limits, ...backOff } = politenessOptions(settings.config.smtp);
    now = 0;
    const ledger = new LocalThrottleStore({ ...backOff, now: () => now });
    running = createEngine(settings, { politeness: new LimitedPoliteness(ledger, { limits }) });
  });
  afterEach(() => running.close());
  afterAll(() => laboratory.stop());

  it.each(['refuses-us.test', 'refuses-recipients.test'])(
    'give the same result for %s, whether it is probed or backed off',
    async (domain) => {
      const before = laboratory.sessions(`mx.${domain}`).length;
      for (const mode of ['standard', 'enhanced', 'standard', 'enhanced', 'enhanced'] as const) {
        expect((await checkAddress(running, `real@${domain}`, mode)).result).toMatchObject({
          result: 'unknown',
          reason: 'smtp_unreachable',
          deliverable: null,
          recommendation: 'review',
          smtp_diagnosis: mode === 'enhanced' ? 'policy_block' : null,
        });
      }
      expect(laboratory.sessions(`mx.${domain}`).length - before).toBeLessThan(4);
    },
  );

  it('ask a laboratory host again a second after it refused us', async () => {
    await checkAddress(running, 'real@refuses-us.test', 'standard');
    const before = laboratory.sessions('mx.refuses-us.test').length;
    now += 1000;
    await checkAddress(running, 'real@refuses-us.test', 'standard');
    expect(laboratory.sessions('mx.refuses-us.test')).toHaveLength(before + 1);
  });

  it('are unlimited while no host refuses us', async () => {
    const checks = Array.from({ length: 40 }, (_, index) => {
      const real = index % 2 === 0;
      return checkAddress(running, `${real ? 'real' : 'ghost'}@knows.test`, 'enhanced');
    });
    for (const [index, { result }] of (await Promise.all(checks)).entries()) {
      expect(result).toMatchObject({ result: index % 2 === 0 ? 'valid' : 'invalid' });
    }
  });
});

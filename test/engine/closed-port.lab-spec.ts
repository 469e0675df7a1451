import { loadConfig } from '../../src/platform/config/load-config.js';
import { createEngine, type RunningEngine } from '../../src/verify/engine/create-engine.js';
import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { ACCEPTED } from '../lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds } from '../lab/world.js';
import { checkAddress } from './engine-under-test.js';

const world = joinWorlds(
  domainWithHost('healthy.test', { recipients: { real: ACCEPTED } }),
  domainWithHost('dead.test', { tcp: 'refused' }),
  domainWithHost('big-one.test', { tcp: 'refused' }),
  domainWithHost('big-two.test', { tcp: 'refused' }),
);

describe('with a closed port 25', () => {
  let laboratory: Laboratory;
  let running: RunningEngine;
  beforeAll(async () => {
    laboratory = await startLaboratory(world);
    running = createEngine(
      loadConfig('api', {
        DATABASE_URL: 'mysql://nobody@127.0.0.1:1/nothing',
        ...laboratoryEnvironment(laboratory),
        SMTP_CHECK_DOMAINS: 'big-one.test,big-two.test',
      }),
    );
  });
  afterAll(async () => {
    running.close();
    await laboratory.stop();
  });

  it('an unreachable host gives no verdict until any host can be reached', async () => {
    expect((await checkAddress(running, 'a@dead.test', 'standard')).result).toMatchObject({
      reason: 'smtp_unreachable',
    });

    await running.egress.check();
    expect(running.egress.states).toMatchObject([{ port: 'closed', heloResolves: true }]);
    const unavailable = await checkAddress(running, 'b@dead.test', 'standard');
    expect(unavailable.result).toBeNull();
    expect(unavailable.story.join('\n')).toContain('port 25 seems to be closed');

    expect((await checkAddress(running, 'real@healthy.test', 'standard')).result).toMatchObject({ result: 'valid' });
    expect(running.egress.states).toMatchObject([{ port: 'open' }]);
    expect((await checkAddress(running, 'c@dead.test', 'standard')).result).toMatchObject({
      reason: 'smtp_unreachable',
    });
  });
});

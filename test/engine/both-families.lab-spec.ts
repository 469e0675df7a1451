import { networkInterfaces } from 'node:os';
import type { RunningEngine } from '../../src/verify/engine/create-engine.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { ACCEPTED } from '../lab/smtp/mail-host.js';
import { PROBER_NAME, type World } from '../lab/world.js';
import { checkAddress, engineFor } from './engine-under-test.js';

/** Its mail host has an address of each family, and answers only over IPv6. */
const world: World = {
  dns: {
    'both.test': { MX: [[10, 'mx.both.test']] },
    'mx.both.test': { A: ['four.both.test'], AAAA: ['six.both.test'] },
  },
  hosts: {
    'four.both.test': { tcp: 'refused' },
    'six.both.test': { address: '::1', recipients: { ann: ACCEPTED } },
  },
};
const hasIpv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

(hasIpv6 ? describe : describe.skip)('a mail host that has IPv4 too', () => {
  let laboratory: Laboratory;
  const engines: RunningEngine[] = [];
  beforeAll(async () => {
    laboratory = await startLaboratory(world);
  });
  afterAll(async () => {
    for (const engine of engines) engine.close();
    await laboratory.stop();
  });

  it.each([
    ['is reached over IPv6 from an egress with addresses of both families', '127.0.0.1+::1', 'mailbox_accepts'],
    ['is not from an egress with IPv4 alone', '127.0.0.1', 'smtp_unreachable'],
  ])('%s', async (_, addresses, reason) => {
    const engine = engineFor(laboratory, { SMTP_EGRESS: `${addresses}=${PROBER_NAME}`, SMTP_CHECK_DOMAINS: 'none' });
    engines.push(engine);
    expect((await checkAddress(engine, 'ann@both.test', 'standard')).result).toMatchObject({ reason });
  });
});

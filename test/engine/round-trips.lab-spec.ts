import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { ACCEPTED, type MailHost } from '../lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds } from '../lab/world.js';
import type { RunningEngine } from '../../src/verify/engine/create-engine.js';
import { checkAddress, engineFor } from './engine-under-test.js';

/** Between the engine and the mail host. */
const ROUND_TRIP_MS = 20;
/** The TCP handshake, and the greeting behind it. */
const BEFORE_THE_DIALOGUE = 2;

const distant: MailHost = { roundTripMs: ROUND_TRIP_MS, recipients: { real: ACCEPTED } };

describe('a check of a distant, healthy mail host', () => {
  let laboratory: Laboratory;
  let running: RunningEngine;
  beforeAll(async () => {
    laboratory = await startLaboratory(
      joinWorlds(
        domainWithHost('pipelining.test', distant),
        domainWithHost('plain.test', { ...distant, pipelining: false }),
      ),
    );
    running = engineFor(laboratory);
  });
  afterAll(async () => {
    running.close();
    await laboratory.stop();
  });

  /** Round trips until the answer is known. Saying goodbye is nobody's wait. */
  async function roundTrips(domain: string, mode: 'standard' | 'enhanced'): Promise<number> {
    const host = `mx.${domain}`;
    const before = laboratory.sessions(host).length;
    const { result, tookMs } = await checkAddress(running, `real@${domain}`, mode);
    expect(result).toMatchObject({ result: 'valid' });
    await laboratory.allSessionsClosed();
    const sessions = laboratory.sessions(host).slice(before);
    const trips = sessions.reduce((sum, { turns, commands }) => {
      return sum + BEFORE_THE_DIALOGUE + turns - (commands.includes('QUIT') ? 1 : 0);
    }, 0);
    const waits = `${trips} round trips of ${ROUND_TRIP_MS} ms`;
    process.stdout.write(`${mode} at ${host}: ${waits}, ${Math.round(tookMs)} ms\n`);
    return trips;
  }

  it('takes at most five round trips with PIPELINING', async () => {
    expect(await roundTrips('pipelining.test', 'standard')).toBeLessThanOrEqual(5);
  });

  it('takes at most one more for the random recipient', async () => {
    expect(await roundTrips('pipelining.test', 'enhanced')).toBeLessThanOrEqual(6);
  });

  it('takes one for each command without PIPELINING', async () => {
    expect(await roundTrips('plain.test', 'standard')).toBeLessThanOrEqual(5);
  });
});

import { getEventListeners } from 'node:events';
import { Deadline } from '../../src/engine/deadline.js';
import { waitUntil } from '../support/wait-until.js';
import { living, ProbeBench } from './support/probe-bench.js';
import { EHLO_PIPELINING, type Behaviour } from './support/scripted-host.js';

const EHLO_STARTTLS = '250-mx.example.test\r\n250 STARTTLS';
const DEMAND = '530 5.7.0 Must issue a STARTTLS command first';

/** One of each way a session may end. */
const KINDS: readonly Behaviour[] = [
  {},
  { ehlo: EHLO_PIPELINING },
  { rcpt: '250 ok' },
  { rcpt: { text: '550 5.1.1 unknown', after: 'close' } },
  { ehlo: EHLO_PIPELINING, rcpt: { text: '550 5.1.1 unknown', after: 'reset' } },
  { rcpt: { text: null } },
  { greeting: { text: null } },
  { greeting: '554 5.7.1 blocked' },
  { greeting: { text: 'x'.repeat(5_000), raw: true } },
  { mail: { text: null, after: 'close' } },
  { mail: '503 send EHLO first' },
  { ehlo: EHLO_STARTTLS, mail: (_, visit) => (visit.tls ? '250 ok' : DEMAND) },
  { ehlo: EHLO_STARTTLS, mail: DEMAND, starttls: { text: '220 go', after: 'junk' } },
  { ehlo: EHLO_STARTTLS, mail: DEMAND, starttls: '220 go' },
];
const ROUNDS = 30;

describe('after its sessions', () => {
  let bench: ProbeBench;
  beforeAll(async () => {
    bench = await ProbeBench.start(...KINDS);
  });
  afterAll(() => bench.stop());

  it('removes its deadline listener', async () => {
    const deadline = Deadline.after(60_000);
    await bench.probe('real@example.com', {
      deadline,
      randomRecipient: true,
      greetingTimeoutMs: 60,
      commandTimeoutMs: 60,
    });
    expect(getEventListeners(deadline.signal, 'abort')).toEqual([]);
    deadline.release();
    await bench.allClosed();
  });

  it('leaves no socket and no timer, however they ended', async () => {
    const before = living();
    const round = (): Promise<unknown> =>
      Promise.all(
        bench.mailHosts.map((host) =>
          bench.probe('real@example.com', {
            hosts: [host],
            randomRecipient: true,
            greetingTimeoutMs: 60,
            commandTimeoutMs: 60,
          }),
        ),
      );
    for (let count = 0; count < ROUNDS; count += 1) await round();
    await bench.allClosed();
    const left = (): string[] =>
      Object.entries(living()).flatMap(([kind, count]) => (count > (before[kind] ?? 0) ? [kind] : []));
    await waitUntil(() => Promise.resolve(left().length === 0), { ms: 60_000 });
    const sessions = bench.hosts.reduce((sum, host) => sum + host.visits.length, 0);
    console.log(`${sessions} sessions; before ${JSON.stringify(before)}, after ${JSON.stringify(living())}`);
    expect(left()).toEqual([]);
    expect(bench.hosts.map((host) => host.openSockets)).toEqual(KINDS.map(() => 0));
    expect(sessions).toBeGreaterThanOrEqual(KINDS.length * ROUNDS);
  });
});

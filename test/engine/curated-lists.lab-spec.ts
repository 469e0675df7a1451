import { assess } from '../../src/engine/assess.js';
import { Deadline } from '../../src/engine/deadline.js';
import { AddressRanges, parseAddressRange } from '../../src/engine/dns/address-range.js';
import {
  NOTHING_LISTED,
  StaticCuratedLists,
  type CuratedTables,
} from '../../src/engine/signals/static-curated-lists.js';
import { UNLIMITED, type Politeness } from '../../src/engine/smtp/politeness.js';
import type { RunningEngine } from '../../src/verify/engine/create-engine.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { ACCEPTED, type MailHost } from '../lab/smtp/mail-host.js';
import { domainWithHost, domainWithHosts, joinWorlds } from '../lab/world.js';
import { checkAddress, DEADLINE_MS, engineFor } from './engine-under-test.js';

const knowsReal: MailHost = { recipients: { real: ACCEPTED } };

const world = joinWorlds(
  domainWithHost('open.test', knowsReal),
  domainWithHost('trap.test', knowsReal),
  domainWithHost('mail.trap-parent.test', knowsReal),
  domainWithHost('at-trap-host.test', knowsReal),
  domainWithHost('quiet.test', knowsReal),
  domainWithHost('mail.quiet-parent.test', knowsReal),
  domainWithHost('at-quiet-host.test', knowsReal),
  domainWithHost('in-quiet-range.test', knowsReal),
  domainWithHosts('one-of-two.test', [knowsReal, knowsReal]),
  {
    dns: {
      'two-addresses.test': { MX: [[10, 'both.two-addresses.test']] },
      'both.two-addresses.test': { A: ['quiet.two-addresses.test', 'open.two-addresses.test'] },
    },
    hosts: { 'quiet.two-addresses.test': knowsReal, 'open.two-addresses.test': knowsReal },
  },
);

describe("the operator's lists", () => {
  let laboratory: Laboratory;
  let listed: StaticCuratedLists;
  /** The lists as the engine has them: a test may change them. */
  let current: StaticCuratedLists;
  let running: RunningEngine;
  /** Groups of mail hosts that leave was asked for. */
  let asked: string[];
  let beforeLeave: () => void;

  const politeness: Politeness = {
    acquire: (request) => {
      asked.push(request.group);
      beforeLeave();
      return UNLIMITED.acquire(request);
    },
  };
  const rangeOf = (...hosts: string[]): AddressRanges =>
    new AddressRanges(hosts.flatMap((host) => parseAddressRange(`${laboratory.addressOf(host)}/32`) ?? []));

  beforeAll(async () => {
    laboratory = await startLaboratory(world);
    listed = new StaticCuratedLists({
      ...NOTHING_LISTED,
      spamTraps: new Set(['trap.test', 'trap-parent.test', 'mx.at-trap-host.test']),
      noProbe: new Set(['quiet.test', 'quiet-parent.test', 'mx.at-quiet-host.test', 'mx1.one-of-two.test']),
      noProbeRanges: rangeOf('mx.in-quiet-range.test', 'quiet.two-addresses.test'),
    });
    running = engineFor(
      laboratory,
      {},
      {
        politeness,
        curated: {
          blocked: (domain) => current.blocked(domain),
          isSpamTrap: (domain, hosts) => current.isSpamTrap(domain, hosts),
          isNoProbe: (name) => current.isNoProbe(name),
          isNoProbeAddress: (ip) => current.isNoProbeAddress(ip),
        },
      },
    );
  });
  beforeEach(() => {
    current = listed;
    asked = [];
    beforeLeave = () => undefined;
  });
  afterAll(async () => {
    running.close();
    await laboratory.stop();
  });

  const listing = (tables: Partial<CuratedTables>): StaticCuratedLists =>
    new StaticCuratedLists({ ...NOTHING_LISTED, ...tables });
  const sessions = (...hosts: string[]): number[] => hosts.map((host) => laboratory.sessions(host).length);

  it('do not affect other domains', async () => {
    expect((await checkAddress(running, 'real@open.test', 'standard')).result).toMatchObject({ result: 'valid' });
    expect(sessions('mx.open.test')).toEqual([1]);
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['domain', 'trap.test'],
    ['parent domain', 'mail.trap-parent.test'],
    ['mail host', 'at-trap-host.test'],
  ])('never let a spam trap be probed: %s', async (_, domain) => {
    const { result } = await checkAddress(running, `real@${domain}`, 'enhanced');
    expect(result).toMatchObject({ result: 'unknown', reason: 'spam_trap', deliverable: null, mx: true });
    expect(result).toMatchObject({ recommendation: 'review', smtp_diagnosis: null });
    expect([...sessions(`mx.${domain}`), ...asked]).toEqual([0]);
  });

  it.each([
    ['quiet.test', 'smtp_unreachable'],
    ['at-quiet-host.test', 'smtp_unreachable'],
    ['one-of-two.test', 'verification_pending'],
    ['open.test', 'verification_pending'],
  ])('leave no pending probe that would never run: %s is %s', async (domain, reason) => {
    const deadline = Deadline.after(DEADLINE_MS);
    const asking = { mode: 'standard', deadline, deferProbe: true } as const;
    const outcome = await running.engine.check(`real@${domain}`, asking);
    deadline.release();
    if (outcome.kind !== 'checked') throw new Error('not checked');
    const assessment = assess(outcome.check, running.knowledge);
    expect(assessment).toMatchObject({ result: 'unknown', reason, deliverable: null, mx: true });
  });

  it.each([
    ['domain', 'quiet.test'],
    ['parent domain', 'mail.quiet-parent.test'],
    ['mail host', 'at-quiet-host.test'],
    ['address', 'in-quiet-range.test'],
  ])('prevent probes of do-not-probe entries: %s', async (_, domain) => {
    const { result, story } = await checkAddress(running, `real@${domain}`, 'enhanced');
    expect(result).toMatchObject({ result: 'unknown', reason: 'smtp_unreachable', deliverable: null, mx: true });
    // It is no refusal: there is nothing to diagnose, and nothing to be polite about.
    expect(result).toMatchObject({ recommendation: 'review', smtp_diagnosis: null });
    expect([...sessions(`mx.${domain}`), ...asked]).toEqual([0]);
    expect(story.at(-1)).toBe(`note  mx.${domain} is on the do-not-probe list and was left alone.`);
  });

  it('allow a probe at the other mail host', async () => {
    const { result } = await checkAddress(running, 'real@one-of-two.test', 'standard');
    expect(result).toMatchObject({ result: 'valid' });
    expect(sessions('mx1.one-of-two.test', 'mx2.one-of-two.test')).toEqual([0, 1]);
  });

  it('allow another address of a mail host, for the random recipient too', async () => {
    const { result } = await checkAddress(running, 'real@two-addresses.test', 'enhanced');
    expect(result).toMatchObject({ result: 'valid', catch_all: false });
    expect(sessions('quiet.two-addresses.test')).toEqual([0]);
    expect(laboratory.sessions('open.two-addresses.test').length).toBeGreaterThan(0);
  });

  it('apply to a check that waited for a permit when they changed', async () => {
    const before = sessions('mx.open.test');
    beforeLeave = () => {
      current = listing({ noProbeRanges: rangeOf('mx.open.test') });
    };
    const { result } = await checkAddress(running, 'other@open.test', 'enhanced');
    expect(result).toMatchObject({ result: 'unknown', reason: 'smtp_unreachable', smtp_diagnosis: null });
    expect(sessions('mx.open.test')).toEqual(before);
  });

  it('keep an earlier verdict, and only flag a trap', async () => {
    const deadline = Deadline.after(DEADLINE_MS);
    const outcome = await running.engine.check('real@open.test', { mode: 'standard', deadline });
    deadline.release();
    if (outcome.kind !== 'checked') throw new Error(outcome.why);
    const judged = (tables: Partial<CuratedTables>) =>
      assess(outcome.check, { ...running.knowledge, curated: listing(tables) });

    const name = new Set(['open.test']);
    expect(judged({ noProbe: name })).toMatchObject({ result: 'valid', decision: { recommendation: 'allow' } });
    expect(judged({ spamTraps: name })).toMatchObject({
      result: 'valid',
      deliverable: true,
      spamTrap: true,
      spamTrapType: 'known_trap_domain',
      decision: { recommendation: 'review', reasons: ['mailbox_accepts', 'spam_trap'] },
    });
    expect(judged({ blocked: new Map([['open.test', null]]) })).toMatchObject({
      result: 'invalid',
      reason: 'blocked_domain',
      score: 0,
    });
  });
});

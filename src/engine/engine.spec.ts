import { signalLists } from '../../test/factories/signal-lists.js';
import { assess, type Knowledge } from './assess.js';
import { Deadline } from './deadline.js';
import type { MailHostsFinding } from './dns/mail-hosts.js';
import { VerificationEngine, type CheckOptions } from './engine.js';
import type { ProbeOutcome, ProbeRequest } from './smtp/prober.js';
import { silent } from './smtp/judge-recipient.js';

const HOST = { name: 'mx.example.com', preference: 10, addresses: ['192.0.2.1'] };
const FOUND: MailHostsFinding = {
  kind: 'found',
  hosts: [HOST],
  exchanges: ['mx.example.com'],
  primary: 'mx.example.com',
  ttlSeconds: 300,
};
const NOBODY: ProbeOutcome = {
  kind: 'facts',
  facts: { ...silent('connect', 'no_connection'), random: 'not_asked', host: HOST.name, egress: 'direct' },
};
/** Lists without an entry. */
const knowledge = {
  lists: signalLists(),
  curated: { blocked: () => null, isSpamTrap: () => false },
  findProvider: () => null,
  suggestCorrection: () => null,
} as unknown as Knowledge;

describe('VerificationEngine', () => {
  let deadline: Deadline;
  beforeEach(() => {
    deadline = Deadline.after(5000);
  });
  afterEach(() => deadline.release());

  async function check(given: { finding?: MailHostsFinding; outcome?: ProbeOutcome; options?: Partial<CheckOptions> }) {
    const { finding = FOUND, outcome = NOBODY, options = {} } = given;
    const probes: ProbeRequest[] = [];
    const engine = new VerificationEngine({
      mailHostFinder: { findMailHosts: async () => finding },
      prober: {
        probe: async (request) => {
          probes.push(request);
          return outcome;
        },
      },
      knowledge,
    });
    const checked = await engine.check('ann@example.com', { mode: 'standard', deadline, ...options });
    return { probes, checked };
  }

  it('probes from any egress, with patience until the deadline, by default', async () => {
    const [free] = (await check({})).probes;
    expect([free?.egress, free?.patienceMs]).toEqual([null, undefined]);
    const [bound] = (await check({ options: { egress: '192.0.2.7', patienceMs: 250 } })).probes;
    expect([bound?.egress, bound?.patienceMs]).toEqual(['192.0.2.7', 250]);
  });

  it.each(['standard', 'enhanced'] as const)(
    'asks nobody at a domain that is known as a catch-all: %s',
    async (mode) => {
      const domain = { catchAll: true };
      const { probes, checked } = await check({ options: { mode, domain } });
      expect(probes).toEqual([]);
      if (checked.kind !== 'checked') throw new Error(checked.why);
      const { facts } = checked.check;
      expect(facts.probe).toBeNull();
      expect(assess(checked.check, knowledge, domain)).toMatchObject({
        result: 'catch_all',
        reason: 'catch_all_domain',
        catchAll: true,
        knownCatchAll: true,
        decision: { recommendation: 'review', reasons: ['catch_all_domain'] },
      });
    },
  );

  it('says no_mx for a domain without a mail host, whatever was known of it', async () => {
    const finding: MailHostsFinding = { kind: 'none', why: 'nxdomain', ttlSeconds: 42 };
    const domain = { catchAll: true };
    const { checked } = await check({ finding, options: { domain } });
    if (checked.kind !== 'checked') throw new Error(checked.why);
    expect(checked.check.facts).toEqual({ mailHosts: finding, probe: null });
    expect(assess(checked.check, knowledge, domain)).toMatchObject({ reason: 'no_mx', catchAll: false });
  });

  it('keeps no more mail hosts than a sender would try', async () => {
    const exchanges = Array.from({ length: 3000 }, (_, i) => `mx${i}.example.com`);
    const { checked } = await check({ finding: { ...FOUND, exchanges } });
    if (checked.kind !== 'checked') throw new Error(checked.why);
    expect(checked.check.facts.mailHosts).toEqual({
      kind: 'found',
      primary: 'mx.example.com',
      exchanges: exchanges.slice(0, 30),
    });
  });

  it('has no verdict, and asks nobody, if the resolver itself does not work', async () => {
    const finding = { kind: 'unavailable', why: 'its MX records could not be looked up: timeout' } as const;
    expect(await check({ finding })).toEqual({ probes: [], checked: finding });
  });

  it.each<ProbeOutcome & { kind: 'unavailable' }>([
    { kind: 'unavailable', why: 'our own politeness limits were full', busy: true },
    { kind: 'unavailable', why: 'our egress direct failed: proxy' },
  ])('passes on what kept us from asking: %j', async (outcome) => {
    expect((await check({ outcome })).checked).toEqual(outcome);
  });
});

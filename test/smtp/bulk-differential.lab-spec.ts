import { isDeepStrictEqual } from 'node:util';
import { parseAddress } from '../../src/engine/address/parse-address.js';
import type { Address } from '../../src/engine/address/address.js';
import { Deadline } from '../../src/engine/deadline.js';
import { DnsResolver } from '../../src/engine/dns/dns-resolver.js';
import { parseDnsServers } from '../../src/engine/dns/dns-servers.js';
import { MailHostFinder } from '../../src/engine/dns/mail-host-finder.js';
import type { MailHost } from '../../src/engine/dns/mail-hosts.js';
import { SmtpBulkProber } from '../../src/engine/smtp/bulk/smtp-bulk-prober.js';
import { classifyReply } from '../../src/engine/smtp/classify/classify-reply.js';
import type { SmtpProberOptions } from '../../src/engine/smtp/probe-tools.js';
import type { ProbeOutcome } from '../../src/engine/smtp/prober.js';
import { findProvider } from '../../src/engine/smtp/providers/find-provider.js';
import { SmtpProber } from '../../src/engine/smtp/smtp-prober.js';
import { createEgressPool } from '../../src/platform/egress/egress-pool.js';
import { rememberedRecipients } from '../factories/remembered-recipients.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { ACCEPTED, type MailHost as LaboratoryHost } from '../lab/smtp/mail-host.js';
import { domainWithHost, domainWithHosts, joinWorlds, PROBER_NAME, type World } from '../lab/world.js';
import { ENGINE_CASES, engineCasesWorld } from '../lab/worlds/engine-cases-world.js';
import { FURTHER_CASES, furtherCasesWorld } from '../lab/worlds/further-cases-world.js';
import { inLanes } from '../support/in-lanes.js';

const DEADLINE_MS = 100_000;
/** Half of the domains get a random recipient. */
const asksRandom = (domain: string): boolean => domain.length % 2 === 0;
/** Domains; more would be slow for the machine's own sake, and that is not what is compared. */
const AT_ONCE = 24;

/** Mailboxes of all kinds, so many that a session meets its limits. */
const MAILBOXES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`real${index}`, ACCEPTED])),
  full: '552 5.2.2 Mailbox full',
  'full-for-now': '452 4.2.2 Mailbox full, try later',
  closed: '550 5.2.1 The account is disabled',
  greylisted: '451 4.7.1 Greylisted, come back in 5 minutes',
  busy: '450 4.2.1 The user is receiving mail at a rate that is too high',
};
const MANY = [...Object.keys(MAILBOXES), ...Array.from({ length: 25 }, (_, index) => `ghost${index}`)];

/** What such hosts do to sessions and must not do to verdicts. */
const CROWDED: Readonly<Record<string, LaboratoryHost>> = {
  'polite.test': {},
  'plain.test': { pipelining: false },
  'hard-errors.test': { hardErrorLimit: 20 },
  'few-errors.test': { hardErrorLimit: 4 },
  'five-a-session.test': { recipientLimit: { count: 5, answer: '452 4.5.3 Too many recipients' } },
  'one-a-session.test': { recipientLimit: { count: 1, answer: '452 4.5.3 Too many recipients' } },
  'hangs-up-on-refusal.test': { closeAfter: 'refused_rcpt' },
  'hangs-up-on-anybody.test': { closeAfter: 'rcpt' },
  'no-reset.test': { rset: '502 5.5.1 Not implemented' },
  'tls.test': {
    starttls: 'works',
    tlsDemanded: { at: 'mail', answer: '530 5.7.0 Must issue a STARTTLS command first' },
  },
  'two-sessions.test': { sessionLimit: 2 },
  'cut-up.test': { split: 'line', multiline: true },
};
const crowdedWorld: World = joinWorlds(
  ...Object.entries(CROWDED).map(([domain, host]) => domainWithHost(domain, { recipients: MAILBOXES, ...host })),
  domainWithHosts('second-host.test', [
    { recipients: { real0: ACCEPTED }, otherRecipients: '451 4.3.0 Later' },
    { recipients: MAILBOXES },
  ]),
);
const world = joinWorlds(engineCasesWorld, furtherCasesWorld, crowdedWorld);

const domainOf = (text: string): string => text.slice(text.lastIndexOf('@') + 1);

/** A few addresses of each case, and many of those above. */
function addresses(): Address[] {
  const cases = [...ENGINE_CASES.values(), ...FURTHER_CASES].map(({ address }) => address);
  const texts = cases.flatMap((text) => {
    return [text, `ghost@${domainOf(text)}`];
  });
  const many = [...Object.keys(CROWDED), 'second-host.test'].flatMap((domain) =>
    MANY.map((name) => `${name}@${domain}`),
  );
  return [...new Set([...texts, ...many])].flatMap((text) => {
    const parsed = parseAddress(text);
    return parsed.ok ? [parsed.address] : [];
  });
}

/** Where time is the point: name servers that say nothing for a while, hosts that take seconds for a reply. */
const TIME_IS_THE_POINT = new Set([
  'byte-by-byte.test',
  ...FURTHER_CASES.filter(({ world: { dns } }) => Object.values(dns).some(({ fault }) => fault)).map(({ address }) =>
    domainOf(address),
  ),
]);

interface Known {
  readonly address: Address;
  readonly hosts: readonly MailHost[];
}

describe('the results of a bulk probe', () => {
  // One for each prober: hosts remember who asked before.
  const laboratories: Laboratory[] = [];
  beforeAll(async () => {
    laboratories.push(await startLaboratory(world), await startLaboratory(world));
  });
  afterAll(async () => {
    await Promise.all(laboratories.map((laboratory) => laboratory.stop()));
  });

  const settings = (laboratory: Laboratory): SmtpProberOptions => ({
    egress: createEgressPool({ heloName: PROBER_NAME, mailFrom: null, entries: [], allowPrivateNetworks: true }),
    port: laboratory.smtpPort,
    connectTimeoutMs: 2_500,
    greetingTimeoutMs: 5_000,
    commandTimeoutMs: 3_000,
    classify: classifyReply,
    findProvider,
    // One by one, a refusal may be held against those that were accepted before it; together, against all of them.
    acceptedRecipients: rememberedRecipients(),
  });

  /** Recipients by domain, of the domains that have mail hosts. */
  const found = async (laboratory: Laboratory): Promise<Map<string, Known[]>> => {
    const resolver = new DnsResolver({
      servers: parseDnsServers(laboratory.dnsServer),
      timeoutMs: 2_000,
      cacheEntries: 1_000,
    });
    const finder = new MailHostFinder(resolver, { allowPrivateNetworks: true });
    const deadline = Deadline.after(DEADLINE_MS);
    const byDomain = new Map<string, Known[]>();
    for (const address of addresses()) {
      const { domain } = address;
      if (TIME_IS_THE_POINT.has(domain)) continue;
      const known = byDomain.get(domain);
      const finding = known === undefined ? await finder.findMailHosts(domain, { deadline }) : null;
      const hosts = known?.[0]?.hosts ?? (finding?.kind === 'found' ? finding.hosts : null);
      if (hosts !== null) byDomain.set(domain, [...(known ?? []), { address, hosts }]);
    }
    deadline.release();
    resolver.close();
    return byDomain;
  };

  const oneByOne = async (laboratory: Laboratory): Promise<Map<string, ProbeOutcome>> => {
    const prober = new SmtpProber(settings(laboratory));
    const byDomain = await found(laboratory);
    const deadline = Deadline.after(DEADLINE_MS);
    const outcomes = new Map<string, ProbeOutcome>();
    await inLanes([...byDomain.values()], AT_ONCE, async (known) => {
      for (const { address, hosts } of known) {
        outcomes.set(
          address.text,
          await prober.probe({ address, hosts, randomRecipient: asksRandom(address.domain), egress: null, deadline }),
        );
      }
    });
    deadline.release();
    return outcomes;
  };

  const together = async (laboratory: Laboratory): Promise<Map<string, ProbeOutcome>> => {
    const prober = new SmtpBulkProber(settings(laboratory));
    const byDomain = await found(laboratory);
    const deadline = Deadline.after(DEADLINE_MS);
    const outcomes = new Map<string, ProbeOutcome>();
    await inLanes([...byDomain], AT_ONCE, async ([domain, known]) => {
      const recipients = known.map(({ address }, index) => ({ index, address }));
      await prober.probe({
        domains: [{ domain, hosts: known[0]?.hosts ?? [], recipients, randomRecipient: asksRandom(domain) }],
        deadline,
        connections: { count: 4 },
        onOutcome: (index, outcome) => void outcomes.set(known[index]?.address.text ?? '', outcome),
      });
    });
    deadline.release();
    return outcomes;
  };

  it('equal those of single probes', async () => {
    const [first, second] = laboratories;
    const alone = await oneByOne(first!);
    const all = await together(second!);
    console.log(
      `${alone.size} recipients: ${first!.totalSessions} sessions one by one, ${second!.totalSessions} together`,
    );
    expect(alone.size).toBeGreaterThan(600);
    const different = [...alone].flatMap(([email, outcome]) => {
      const [one, other] = [plain(outcome), plain(all.get(email))];
      return isDeepStrictEqual(one, other) ? [] : [{ email, alone: one, together: other }];
    });
    expect(different).toEqual([]);
    expect(second!.totalSessions).toBeLessThan(first!.totalSessions / 2);
  });
});

/** The random recipient only matters where the real one was accepted; of a witness, what it proves. */
function plain(outcome: ProbeOutcome | undefined): object | undefined {
  if (outcome?.kind !== 'facts') return outcome;
  const { random, witness: _, ...facts } = outcome.facts;
  return { ...facts, random: facts.code !== null && facts.code < 300 ? random : null };
}

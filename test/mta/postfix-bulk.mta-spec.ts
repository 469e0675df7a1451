import { parseAddress } from '../../src/engine/address/parse-address.js';
import { Deadline } from '../../src/engine/deadline.js';
import { FirstBatches } from '../../src/engine/smtp/bulk/first-batches.js';
import { SmtpBulkProber } from '../../src/engine/smtp/bulk/smtp-bulk-prober.js';
import { classifyReply } from '../../src/engine/smtp/classify/classify-reply.js';
import type { ProbeOutcome } from '../../src/engine/smtp/prober.js';
import { findProvider } from '../../src/engine/smtp/providers/find-provider.js';
import { createEgressPool } from '../../src/platform/egress/egress-pool.js';
import { postfixHosts } from './support/postfix-hosts.js';
import { postfixTask, type PostfixListener } from './support/postfix.js';
import { describeWithServers } from './support/with-servers.js';

/** As Postfix has it out of the box, and narrower. */
const HOSTS: Readonly<Record<string, PostfixListener>> = {
  usual: { settings: { smtpd_error_sleep_time: '1s' } },
  impatient: { settings: { smtpd_soft_error_limit: '1000', smtpd_hard_error_limit: '20' } },
  'very-impatient': { settings: { smtpd_hard_error_limit: '1' } },
  'few-recipients': { settings: { smtpd_recipient_limit: '7' } },
  'one-at-a-time': { settings: { smtpd_recipient_limit: '1' } },
  'no-pipelining': { settings: { smtpd_discard_ehlo_keywords: 'pipelining', smtpd_soft_error_limit: '1000' } },
  'few-connections': { settings: { smtpd_client_connection_count_limit: '2', smtpd_soft_error_limit: '1000' } },
};
const MAILBOXES = 100;
const STRANGERS = 200;

describeWithServers(
  'a Postfix is asked about many recipients',
  ({ places, tree }) => {
    const known = Array.from({ length: MAILBOXES }, (_, index) => `real${index}=x`).join(', ');
    const { domains, listeners, at } = postfixHosts(places, HOSTS);
    const settings = {
      mydestination: [...Object.keys(domains), 'second.test'].join(', '),
      local_recipient_maps: `inline:{ ${known} }`,
      smtpd_relay_restrictions: 'reject_unauth_destination',
    };
    return {
      domains: { ...domains, 'second.test': 'mx.usual.test' },
      servers: [{ task: postfixTask(tree, { settings, listeners }), at }],
    };
  },
  (bench) => {
    /** Three of ten known, in no order that a limit would find convenient. */
    const emailsOf = (domain: string, known = MAILBOXES, strangers = STRANGERS): string[] => {
      const names = [
        ...Array.from({ length: known }, (_, index) => `real${index}`),
        ...Array.from({ length: strangers }, (_, index) => `stranger${index}`),
      ];
      return names
        .map((name, index) => ({ name, place: (index * 7919) % names.length }))
        .sort((one, other) => one.place - other.place)
        .map(({ name }) => `${name}@${domain}`);
    };

    const asked = async (host: string, emails: readonly string[], maxConnections = 4, list?: FirstBatches) => {
      const { places } = bench().servers;
      let connections = 0;
      const pool = createEgressPool({
        heloName: 'prober.test',
        mailFrom: null,
        entries: [],
        allowPrivateNetworks: true,
      });
      const prober = new SmtpBulkProber({
        egress: {
          choose: (id) => {
            const egress = pool.choose(id);
            const connect: typeof egress.connect = (...args) => ((connections += 1), egress.connect(...args));
            return { ...identityOf(egress), connect };
          },
        },
        port: places.port,
        connectTimeoutMs: 5_000,
        greetingTimeoutMs: 10_000,
        commandTimeoutMs: 10_000,
        classify: classifyReply,
        findProvider,
      });
      const outcomes = new Map<string, ProbeOutcome>();
      const deadline = Deadline.after(100_000);
      const name = `mx.${host}.test`;
      const hosts = [{ name, preference: 10, addresses: [places.address(name)] }];
      const byDomain = new Map<string, string[]>();
      for (const email of emails) {
        const domain = email.slice(email.lastIndexOf('@') + 1);
        byDomain.set(domain, [...(byDomain.get(domain) ?? []), email]);
      }
      const began = performance.now();
      await prober.probe({
        domains: [...byDomain].map(([domain, ofDomain]) => ({
          domain,
          hosts,
          recipients: ofDomain.map((email) => ({ index: emails.indexOf(email), address: addressOf(email) })),
          // A random recipient would take a place in the first batch.
          randomRecipient: list === undefined,
        })),
        deadline,
        connections: { count: maxConnections },
        list,
        onOutcome: (index, outcome) => void outcomes.set(emails[index] ?? '', outcome),
      });
      deadline.release();
      const tookMs = Math.round(performance.now() - began);
      console.log(`${host}: ${emails.length} recipients, ${connections} connections, ${tookMs} ms`);
      const misjudged = emails.filter((email) => !isRight(email, outcomes.get(email)));
      return { connections, tookMs, misjudged };
    };

    it('that slows down after 10 errors and hangs up after 20: all of 300 recipients, 200 unknown, are judged correctly', async () => {
      const { misjudged, connections, tookMs } = await asked('usual', emailsOf('usual.test'));
      expect(misjudged).toEqual([]);
      expect(connections).toBeLessThanOrEqual(60);
      // A second for each error beyond the tenth of one session would be minutes.
      expect(tookMs).toBeLessThan(90_000);
    });

    it.each(['impatient', 'few-recipients', 'no-pipelining', 'few-connections'])(
      'configured as "%s": all are judged correctly',
      async (host) => {
        const { misjudged, connections } = await asked(host, emailsOf(`${host}.test`));
        expect(misjudged).toEqual([]);
        expect(connections).toBeLessThanOrEqual(60);
      },
    );

    it.each(['very-impatient', 'one-at-a-time'])(
      'with very low session limits, configured as "%s": all are judged correctly',
      async (host) => {
        const { misjudged } = await asked(host, emailsOf(`${host}.test`, 20, 20));
        expect(misjudged).toEqual([]);
      },
    );

    describe('of a list that was good so far', () => {
      let list: FirstBatches;
      beforeEach(() => {
        list = new FirstBatches();
        list.note({ answered: 1000, errors: 0 }, false);
      });

      it.each(['usual', 'impatient'])(
        'configured as "%s": twenty unknown ones are asked about at once, and judged correctly before it hangs up',
        async (host) => {
          const { misjudged, connections } = await asked(host, emailsOf(`${host}.test`, 0, 20), 1, list);
          expect(misjudged).toEqual([]);
          expect(connections).toBe(1);
        },
      );

      it('that slows down after 10 errors: later hosts are asked about ten at first', async () => {
        await asked('usual', emailsOf('usual.test', 0, 20), 1, list);
        expect(list.size).toBe(10);
      });
    });

    it('of two domains over the same connections: all are judged correctly', async () => {
      const emails = [...emailsOf('usual.test', 40, 10), ...emailsOf('second.test', 40, 10)];
      const { misjudged, connections } = await asked('usual', emails, 1);
      expect(misjudged).toEqual([]);
      expect(connections).toBeLessThanOrEqual(8);
    });
  },
);

function identityOf({
  id,
  heloName,
  mailFrom,
  ipv6,
}: {
  id: string;
  heloName: string;
  mailFrom: string;
  ipv6: boolean;
}) {
  return { id, heloName, mailFrom, ipv6 };
}

function addressOf(email: string) {
  const parsed = parseAddress(email);
  if (!parsed.ok) throw new Error(`${email} is no address`);
  return parsed.address;
}

function isRight(email: string, outcome: ProbeOutcome | undefined): boolean {
  if (outcome?.kind !== 'facts') return false;
  const { class: name, random } = outcome.facts;
  return email.startsWith('real') ? name === 'accepted' && random === 'refused' : name === 'mailbox_not_found';
}

import { FirstBatches } from '../../src/engine/smtp/bulk/first-batches.js';
import { askAbout, emailsOf } from './support/bulk-asking.js';
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
    const asked = (host: string, emails: readonly string[], maxConnections?: number, list?: FirstBatches) =>
      askAbout(bench().servers, { host, emails, maxConnections, list });

    it('that slows down after 10 errors and hangs up after 20: all of 300 recipients, 200 unknown, are judged correctly', async () => {
      const { misjudged, connections, tookMs } = await asked('usual', emailsOf('usual.test', MAILBOXES, STRANGERS));
      expect(misjudged).toEqual([]);
      expect(connections).toBeLessThanOrEqual(60);
      // A second for each error beyond the tenth of one session would be minutes.
      expect(tookMs).toBeLessThan(90_000);
    });

    it.each(['impatient', 'few-recipients', 'no-pipelining', 'few-connections'])(
      'configured as "%s": all are judged correctly',
      async (host) => {
        const { misjudged, connections } = await asked(host, emailsOf(`${host}.test`, MAILBOXES, STRANGERS));
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

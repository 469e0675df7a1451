import { FirstBatches } from '../../src/engine/smtp/bulk/first-batches.js';
import { askAbout, emailsOf } from './support/bulk-asking.js';
import { eximTask } from './support/exim.js';
import { describeWithServers } from './support/with-servers.js';

/**
 * `stock` sets no limit. `wiki` hangs up as Exim's wiki advises, and `unnamed` does so without naming Exim in its greeting. `hoster`
 * hangs up, and then refuses the client for an hour, as the most common panel of hosters does by default.
 */
const HOSTS = ['stock', 'wiki', 'unnamed', 'hoster'];

describeWithServers(
  'an Exim is asked about many recipients',
  ({ places, tree }) => {
    const on = (name: string): string =>
      `condition = \${if eq{$received_ip_address}{${places.address(`mx.${name}.test`)}}}`;
    const exim = eximTask(tree, {
      listen: HOSTS.map((name) => places.endpoint(`mx.${name}.test`)),
      main: [
        'primary_hostname = mx.exim.test',
        'acl_smtp_connect = on_connect',
        'acl_smtp_rcpt = on_recipient',
        `smtp_banner = \${if eq{$received_ip_address}{${places.address('mx.unnamed.test')}}{mx ESMTP}{mx ESMTP Exim 4.98}}`,
        `domainlist served = ${HOSTS.map((name) => `${name}.test`).join(' : ')}`,
      ],
      acl: [
        'on_connect:',
        `  defer ${on('hoster')}`,
        '    message = The server has reached its limit for processing requests from your host.  Please try again later.',
        '    ratelimit = 1.2 / 1h / strict / per_conn / noupdate',
        '  accept',
        'on_recipient:',
        ...['wiki', 'unnamed'].flatMap((name) => [
          `  drop ${on(name)}`,
          '    condition = ${if > {$rcpt_fail_count}{3}}',
          '    !verify = recipient',
          '    message = REJECTED - Too many failed recipients - count = $rcpt_fail_count',
        ]),
        `  drop ${on('hoster')}`,
        '    condition = ${if > {$rcpt_fail_count}{4}}',
        '    ratelimit = 0 / 1h / strict / per_conn',
        '    message = Number of failed recipients exceeded.  Come back in a few hours.',
        '  accept domains = +served',
        '    verify = recipient',
      ],
      routers: ['known:', '  driver = accept', '  domains = +served', '  local_parts = ^real', '  transport = nowhere'],
    });
    return {
      domains: Object.fromEntries(HOSTS.map((name) => [`${name}.test`, `mx.${name}.test`])),
      servers: [{ task: exim, at: HOSTS.map((name) => `mx.${name}.test`) }],
    };
  },
  (bench) => {
    it.each(HOSTS)('configured as "%s": all of a list with many unknown ones are judged correctly', async (host) => {
      const emails = emailsOf(`${host}.test`, 20, 20);
      const { misjudged } = await askAbout(bench().servers, { host, emails });
      expect(misjudged).toEqual([]);
    });

    it.each(HOSTS)('configured as "%s": all of a list that was good so far are judged correctly', async (host) => {
      const list = new FirstBatches();
      list.note({ answered: 1000, errors: 0 }, false);
      const { misjudged } = await askAbout(bench().servers, { host, emails: emailsOf(`${host}.test`, 12, 8), list });
      expect(misjudged).toEqual([]);
    });
  },
);

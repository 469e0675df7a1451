import { LABORATORY_CERTIFICATE, LABORATORY_KEY } from '../lab/smtp/certificate.js';
import { CATCH_ALL, itJudges, NOT_FOUND, POLICY, REFUSED_US, VALID, type Behaviour } from './support/behaviour.js';
import { openSmtpdTask } from './support/opensmtpd.js';
import { describeWithServers } from './support/with-servers.js';

const BEHAVIOURS: Behaviour[] = [
  { when: 'the recipient exists', email: 'anna@open.test', result: VALID, enhanced: { catch_all: false } },
  {
    when: 'the recipient does not exist',
    email: 'nemo@open.test',
    result: NOT_FOUND,
    enhanced: { smtp_diagnosis: 'mailbox_not_found' },
  },
  { when: 'an alias takes every name', email: 'nemo@everyone.test', result: VALID, enhanced: CATCH_ALL },
  // Debian 12's OpenSMTPD offers a TLS that fails with OpenSSL 3; a later one has a TLS that works.
  {
    when: 'the server insists on TLS, and the recipient exists',
    email: 'anna@tls.test',
    result: { result: ['unknown', 'valid'], reason: ['smtp_unreachable', 'mailbox_accepts'] },
  },
  {
    when: 'the server insists on TLS, and has no such recipient',
    email: 'nemo@tls.test',
    result: { result: ['unknown', 'invalid'], reason: ['smtp_unreachable', 'mailbox_not_found'] },
  },
  { when: 'our address has no name', email: 'anna@rdns.test', result: REFUSED_US, enhanced: POLICY },
  { when: 'our sender is refused', email: 'anna@sender.test', result: REFUSED_US, enhanced: POLICY },
  { when: 'our address is refused at the recipient', email: 'anna@blocked.test', result: REFUSED_US, enhanced: POLICY },
  { when: 'the name is not ASCII, which the server does not take', email: 'käthe@open.test', result: NOT_FOUND },
];

const HOSTS = ['open', 'tls', 'rdns', 'sender', 'blocked'];

describeWithServers(
  'an OpenSMTPD',
  ({ places, tree }) => {
    tree.folder('/home/anna');
    tree.place('/etc/ssl/mx.crt', `${LABORATORY_CERTIFICATE}\n`);
    tree.place('/etc/ssl/mx.key', `${LABORATORY_KEY}\n`, { mode: 0o600 });
    const listen = (name: string, more = ''): string =>
      `listen on ${places.address(`mx.${name}.test`)} port ${places.port} hostname mx.${name}.test ${more}`;
    const domains = [...HOSTS].map((name) => `"${name}.test"`);
    return {
      domains: {
        ...Object.fromEntries(HOSTS.map((name) => [`${name}.test`, `mx.${name}.test`])),
        'everyone.test': 'mx.open.test',
      },
      servers: [
        {
          task: openSmtpdTask(tree, [
            'pki laboratory cert "/etc/ssl/mx.crt"',
            'pki laboratory key "/etc/ssl/mx.key"',
            'table people { "anna" = "65534:65534:/home/anna" }',
            'table aliases { "@" = "anna" }',
            `table domains { ${domains.join(', ')} }`,
            'filter named phase connect match !rdns disconnect "550 no rDNS is so 80s"',
            'filter strangers phase mail-from match mail-from "verify@prober.test" reject "550 sender refused"',
            'filter clients phase rcpt-to match src "127.0.0.1" reject "550 blocked for spam"',
            listen('open'),
            listen('tls', 'tls-require pki laboratory'),
            listen('rdns', 'filter named'),
            listen('sender', 'filter strangers'),
            listen('blocked', 'filter clients'),
            'action "known" maildir "/tmp/%{rcpt.user}" userbase <people>',
            'action "all" maildir "/tmp/all" userbase <people> virtual <aliases>',
            'match from any for domain <domains> action "known"',
            'match from any for domain "everyone.test" action "all"',
          ]),
          at: HOSTS.map((name) => `mx.${name}.test`),
        },
      ],
    };
  },
  (bench) => itJudges(BEHAVIOURS, () => bench().checks),
);

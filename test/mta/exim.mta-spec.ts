import {
  CATCH_ALL,
  DEFERRED,
  itJudges,
  NOT_FOUND,
  POLICY,
  REFUSED_US,
  VALID,
  type Behaviour,
} from './support/behaviour.js';
import { eximTask } from './support/exim.js';
import { postfixTask } from './support/postfix.js';
import { describeWithServers } from './support/with-servers.js';

const BEHAVIOURS: Behaviour[] = [
  { when: 'the recipient exists', email: 'anna@exim.test', result: VALID, enhanced: { catch_all: false } },
  {
    when: 'no router takes the recipient',
    email: 'nemo@exim.test',
    result: NOT_FOUND,
    enhanced: { smtp_diagnosis: 'mailbox_not_found' },
  },
  { when: 'every recipient is taken', email: 'nemo@everyone.test', result: VALID, enhanced: CATCH_ALL },
  { when: 'the server behind knows the recipient', email: 'anna@behind.test', result: VALID },
  {
    when: 'the server behind does not know the recipient',
    email: 'nemo@behind.test',
    result: NOT_FOUND,
    enhanced: { smtp_diagnosis: 'mailbox_not_found' },
  },
  {
    when: 'the server behind does not want the server in front',
    email: 'anna@behind-refuses.test',
    result: REFUSED_US,
    enhanced: POLICY,
  },
  {
    when: 'the server behind is down',
    email: 'anna@behind-is-down.test',
    result: DEFERRED,
  },
  {
    when: 'the mailbox is full',
    email: 'full@exim.test',
    result: NOT_FOUND,
    enhanced: { smtp_diagnosis: 'mailbox_full' },
  },
  { when: 'mail is refused without a reason', email: 'anna@prohibited.test', result: REFUSED_US, enhanced: POLICY },
  { when: 'the domain is not served', email: 'anna@elsewhere.test', result: REFUSED_US, enhanced: POLICY },
  { when: 'our sender has no route', email: 'anna@sender-without-route.test', result: REFUSED_US, enhanced: POLICY },
  {
    when: 'our sender is unknown where it was asked for',
    email: 'anna@sender-called.test',
    result: REFUSED_US,
    enhanced: POLICY,
  },
  {
    when: 'the recipient is put off',
    email: 'anna@greylist.test',
    result: DEFERRED,
    enhanced: { smtp_diagnosis: 'greylist_deferred' },
  },
  { when: 'the server hangs up on us', email: 'anna@dropped.test', result: REFUSED_US, enhanced: POLICY },
  { when: 'the greeting takes two seconds', email: 'anna@slow.test', result: VALID },
  { when: 'there is no greeting for us', email: 'anna@closed.test', result: REFUSED_US, enhanced: POLICY },
];

/** Refuses the null sender, which callouts come from, as soon as it is named. */
const STRICT = { smtpd_sender_restrictions: 'check_sender_access inline:{ <>=REJECT }', smtpd_delay_reject: 'no' };

/** What the listeners of the Exim are called, and the domains it takes mail for. */
const HOSTS = ['exim', 'slow', 'closed'].map((name) => `mx.${name}.test`);
const OWN = ['exim', 'everyone', 'prohibited', 'sender-without-route', 'sender-called', 'greylist', 'dropped'];
const BEHIND = ['behind', 'behind-refuses', 'behind-is-down'];

const ON_RECIPIENT = [
  '  deny !domains = +served',
  '    message = relay not permitted',
  '  deny domains = prohibited.test',
  '  drop domains = dropped.test',
  '    message = Too many bad recipients from $sender_host_address',
  '  defer domains = greylist.test',
  '    message = Greylisting in action, please come back later',
  '  deny domains = exim.test',
  '    local_parts = full',
  '    message = 552 5.2.2 mailbox is full: retry timeout exceeded',
  '  deny domains = sender-without-route.test',
  '    !verify = sender',
  '  deny domains = sender-called.test',
  '    set acl_m_for = $domain',
  '    !verify = sender/callout=5s',
  '  deny domains = behind.test : behind-refuses.test : behind-is-down.test',
  '    !verify = recipient/callout=5s',
  '  accept verify = recipient',
];

const MAILBOXES = [
  'everyone:',
  '  driver = accept',
  '  domains = everyone.test',
  '  transport = nowhere',
  'known:',
  '  driver = accept',
  '  domains = +served',
  '  local_parts = anna : full',
  '  transport = nowhere',
];

/** A router that asks the server at `endpoint` about addresses of a domain. */
function routeTo(endpoint: string, domain: string, condition = 'true'): string[] {
  return [
    `${domain.replaceAll(/\W/g, '_')}:`,
    '  driver = manualroute',
    `  domains = ${domain}`,
    `  condition = ${condition}`,
    '  self = send',
    `  route_list = * ${endpoint.replace(':', '::')}`,
    '  transport = onward',
  ];
}

describeWithServers(
  'an Exim',
  ({ places, tree }) => {
    const on = (name: string): string => `condition = \${if eq{$received_ip_address}{${places.address(name)}}}`;
    const domainOf = (name: string): string => `${name}.test`;
    const atExim = [...OWN, ...BEHIND, 'elsewhere'].map((name) => [domainOf(name), 'mx.exim.test']);
    const served = [...OWN, ...BEHIND, 'slow', 'closed'].map(domainOf);
    const postfix = postfixTask(tree, {
      settings: {
        mydestination: 'behind.test, prober.test',
        local_recipient_maps: 'inline:{ anna=x }',
        smtpd_relay_restrictions: 'reject_unauth_destination',
      },
      listeners: {
        [places.endpoint('mx.postfix.test')]: {},
        [places.endpoint('mx.strict.test')]: { settings: STRICT },
      },
    });
    const exim = eximTask(tree, {
      listen: HOSTS.map((name) => places.endpoint(name)),
      main: [
        'primary_hostname = mx.exim.test',
        'acl_smtp_connect = on_connect',
        'acl_smtp_rcpt = on_recipient',
        `domainlist served = ${served.join(' : ')}`,
      ],
      acl: [
        'on_connect:',
        `  accept ${on('mx.slow.test')}`,
        '    delay = 2s',
        `  deny ${on('mx.closed.test')}`,
        '  accept',
        'on_recipient:',
        ...ON_RECIPIENT,
      ],
      routers: [
        ...routeTo(places.endpoint('mx.postfix.test'), 'prober.test', '${if eq{$acl_m_for}{sender-called.test}}'),
        ...routeTo(places.endpoint('mx.postfix.test'), 'behind.test'),
        ...routeTo(places.endpoint('mx.strict.test'), 'behind-refuses.test'),
        ...routeTo(places.endpoint('nobody'), 'behind-is-down.test'),
        ...MAILBOXES,
      ],
    });
    return {
      domains: { ...Object.fromEntries(atExim), 'slow.test': 'mx.slow.test', 'closed.test': 'mx.closed.test' },
      servers: [
        { task: postfix, at: ['mx.postfix.test', 'mx.strict.test'] },
        { task: exim, at: HOSTS },
      ],
    };
  },
  (bench) => itJudges(BEHAVIOURS, () => bench().checks),
);

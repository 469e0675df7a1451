import { LABORATORY_CERTIFICATE, LABORATORY_KEY } from '../lab/smtp/certificate.js';
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
import { postfixHosts } from './support/postfix-hosts.js';
import { postfixTask, type PostfixListener } from './support/postfix.js';
import { describeWithServers } from './support/with-servers.js';

/** Domains of one server, each with recipients in a table of its own kind. */
const DOMAINS = {
  mydestination: 'local.test, tls.test, ascii.test, login.test, impatient.test, one-at-a-time.test',

  local_recipient_maps: 'inline:{ anna=x, käthe=x, full=x, full-for-now=x, closed=x }',
  virtual_alias_domains: 'alias.test, everyone.test',
  virtual_alias_maps: 'inline:{ anna@alias.test=anna@local.test, @everyone.test=anna@local.test }',
  virtual_mailbox_domains: 'box.test',
  virtual_mailbox_maps: 'inline:{ anna@box.test=anna/ }',
  relay_domains: 'relay.test',
  relay_recipient_maps: 'inline:{ anna@relay.test=x }',
  smtpd_recipient_restrictions: 'check_recipient_access texthash:/etc/postfix/mailboxes',
  smtpd_relay_restrictions: 'reject_unauth_destination',
};

const MAILBOXES = [
  'full@local.test 552 5.2.2 Mailbox is full',
  'full-for-now@local.test 452 4.2.2 Mailbox is full / Quota exceeded',
  'closed@local.test 550 5.2.1 Mailbox disabled, not accepting messages',
];

const HOSTS: Readonly<Record<string, PostfixListener>> = {
  local: {},
  tls: { settings: { smtpd_tls_security_level: 'encrypt', smtpd_tls_chain_files: '/etc/postfix/tls.pem' } },
  ascii: { settings: { smtputf8_enable: 'no' } },
  login: { settings: { smtpd_recipient_restrictions: 'permit_sasl_authenticated, reject' } },
  impatient: { settings: { smtpd_hard_error_limit: '1' } },
  'one-at-a-time': { settings: { smtpd_recipient_limit: '1' } },
  deferring: { settings: { smtpd_relay_restrictions: 'defer_unauth_destination' } },
};

const BEHAVIOURS: Behaviour[] = [
  {
    when: 'a local recipient exists',
    email: 'anna@local.test',
    result: { ...VALID, mx: true, mx_record: 'mx.local.test', catch_all: false },
    enhanced: { smtp_diagnosis: 'accepted' },
  },
  {
    when: 'no local recipient is of that name',
    email: 'nemo@local.test',
    result: NOT_FOUND,
    enhanced: { smtp_diagnosis: 'mailbox_not_found' },
  },
  { when: 'an alias exists', email: 'anna@alias.test', result: VALID },
  { when: 'no alias is of that name', email: 'nemo@alias.test', result: NOT_FOUND },
  { when: 'a virtual mailbox exists', email: 'anna@box.test', result: VALID },
  { when: 'no virtual mailbox is of that name', email: 'nemo@box.test', result: NOT_FOUND },
  { when: 'mail is passed on for a known recipient', email: 'anna@relay.test', result: VALID },
  { when: 'mail is not passed on for an unknown one', email: 'nemo@relay.test', result: NOT_FOUND },
  { when: 'an alias takes every name', email: 'nemo@everyone.test', result: VALID, enhanced: CATCH_ALL },
  {
    when: 'the mailbox is full',
    email: 'full@local.test',
    result: NOT_FOUND,
    enhanced: { smtp_diagnosis: 'mailbox_full' },
  },
  {
    when: 'the mailbox is full for now',
    email: 'full-for-now@local.test',
    result: DEFERRED,
    enhanced: { smtp_diagnosis: 'mailbox_full' },
  },
  {
    when: 'the mailbox is disabled',
    email: 'closed@local.test',
    result: NOT_FOUND,
    enhanced: { smtp_diagnosis: 'mailbox_disabled' },
  },
  { when: 'the name is not ASCII and exists', email: 'käthe@local.test', result: VALID },
  { when: 'the name is not ASCII and unknown', email: 'jürgen@local.test', result: NOT_FOUND },
  { when: 'the name is not ASCII and the server takes only ASCII', email: 'käthe@ascii.test', result: NOT_FOUND },
  { when: 'the server insists on TLS and the recipient exists', email: 'anna@tls.test', result: VALID },
  { when: 'the server insists on TLS and has no such recipient', email: 'nemo@tls.test', result: NOT_FOUND },
  {
    when: 'the server takes mail only from who logs in',
    email: 'anna@login.test',
    result: REFUSED_US,
    enhanced: POLICY,
  },
  {
    when: 'the server is not responsible for the domain',
    email: 'anna@elsewhere.test',
    result: REFUSED_US,
    enhanced: POLICY,
  },
  { when: 'the server is not responsible for now', email: 'anna@deferring.test', result: REFUSED_US, enhanced: POLICY },
  {
    when: 'the server hangs up after one error and the recipient exists',
    email: 'anna@impatient.test',
    result: VALID,
    enhanced: { smtp_diagnosis: 'accepted', catch_all: false },
  },
  {
    when: 'the server hangs up after one error and has no such recipient',
    email: 'nemo@impatient.test',
    result: NOT_FOUND,
    enhanced: { smtp_diagnosis: 'mailbox_not_found' },
  },
  {
    when: 'the server takes one recipient per message and it exists',
    email: 'anna@one-at-a-time.test',
    result: VALID,
    enhanced: { catch_all: false },
  },
  {
    when: 'the server takes one recipient per message, and it is unknown',
    email: 'nemo@one-at-a-time.test',
    result: NOT_FOUND,
  },
];

describeWithServers(
  'a Postfix tells the truth about its mailboxes',
  ({ places, tree }) => {
    tree.place('/etc/postfix/mailboxes', `${MAILBOXES.join('\n')}\n`);
    tree.place('/etc/postfix/tls.pem', `${LABORATORY_KEY}\n${LABORATORY_CERTIFICATE}\n`, { mode: 0o600 });
    const { domains, listeners, at } = postfixHosts(places, HOSTS);
    const more = ['alias', 'everyone', 'box', 'relay', 'elsewhere'].map((name) => [`${name}.test`, 'mx.local.test']);
    return {
      domains: { ...domains, ...Object.fromEntries(more) },
      servers: [{ task: postfixTask(tree, { settings: DOMAINS, listeners }), at }],
    };
  },
  (bench) => itJudges(BEHAVIOURS, () => bench().checks),
);

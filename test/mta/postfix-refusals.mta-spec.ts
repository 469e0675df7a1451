import { itJudges, POLICY, REFUSED_US, VALID, type Behaviour } from './support/behaviour.js';
import { Checks } from './support/checks.js';
import { isDnsPortFree } from './support/dns-port.js';
import { postfixHosts } from './support/postfix-hosts.js';
import { postfixTask, type PostfixListener } from './support/postfix.js';
import { describeWithServers } from './support/with-servers.js';

const US = 'check_client_access inline:{ 127.0.0.1=REJECT }';
const IN_MISLEADING_WORDS =
  'inline:{ {127.0.0.1 = 550 5.7.1 Mail from 127.0.0.1 refused for its reputation, see https://mail.test/unknown-user} }';

/** All of them have the recipient in their table. */
const HOSTS: Readonly<Record<string, PostfixListener>> = {
  client: { settings: { smtpd_client_restrictions: US } },
  'client-at-once': { settings: { smtpd_client_restrictions: US, smtpd_delay_reject: 'no' } },
  'client-worded': { settings: { smtpd_client_restrictions: `check_client_access ${IN_MISLEADING_WORDS}` } },
  sender: { settings: { smtpd_sender_restrictions: 'check_sender_access inline:{ verify@prober.test=REJECT }' } },
  'no-room': { settings: { queue_minfree: '1000000000000000' } },
  'postscreen-refusing': {
    program: 'postscreen',
    settings: { postscreen_access_list: 'cidr:/etc/postfix/refused', postscreen_blacklist_action: 'enforce' },
  },
  'postscreen-dropping': {
    program: 'postscreen',
    settings: { postscreen_access_list: 'cidr:/etc/postfix/refused', postscreen_blacklist_action: 'drop' },
  },
  blocklist: { settings: { smtpd_client_restrictions: 'reject_rbl_client blocklist.test' } },
  'client-name': { settings: { smtpd_client_restrictions: 'reject_unknown_client_hostname' } },
  'client-name-for-good': {
    settings: { smtpd_client_restrictions: 'reject_unknown_client_hostname', unknown_client_reject_code: '550' },
  },
  helo: { settings: { smtpd_helo_restrictions: 'reject_unknown_helo_hostname' } },
  'helo-for-good': {
    settings: { smtpd_helo_restrictions: 'reject_unknown_helo_hostname', unknown_hostname_reject_code: '550' },
  },
  'sender-domain': { settings: { smtpd_sender_restrictions: 'reject_unknown_sender_domain' } },
  'sender-domain-for-good': {
    settings: { smtpd_sender_restrictions: 'reject_unknown_sender_domain', unknown_address_reject_code: '550' },
  },
};

const REFUSALS: Behaviour[] = [
  { when: 'our address is refused', email: 'anna@client.test', result: REFUSED_US, enhanced: POLICY },
  { when: 'our address is refused at once', email: 'anna@client-at-once.test', result: REFUSED_US, enhanced: POLICY },
  {
    when: 'our address is refused, in words that name an unknown user',
    email: 'anna@client-worded.test',
    result: REFUSED_US,
    enhanced: POLICY,
  },
  { when: 'our sender is refused', email: 'anna@sender.test', result: REFUSED_US, enhanced: POLICY },
  { when: 'there is no room for mail', email: 'anna@no-room.test', result: REFUSED_US },
  {
    when: 'postscreen refuses every recipient',
    email: 'anna@postscreen-refusing.test',
    result: REFUSED_US,
    enhanced: POLICY,
  },
  {
    when: 'postscreen turns us away',
    email: 'anna@postscreen-dropping.test',
    result: REFUSED_US,
    enhanced: POLICY,
  },
];

/** What the DNS says about us, by the eyes of a mail server: `prober.test` is in it, `nobody.test` is not. */
const FOUND_IN_DNS: Behaviour[] = [
  { when: 'our name is in the DNS', email: 'anna@helo-for-good.test', result: VALID },
  { when: "our sender's domain is in the DNS", email: 'anna@sender-domain-for-good.test', result: VALID },
];
const MISSED_IN_DNS: Behaviour[] = [
  { when: 'our address is on a blocklist', email: 'anna@blocklist.test', result: REFUSED_US, enhanced: POLICY },
  { when: 'our address has no name for now', email: 'anna@client-name.test', result: REFUSED_US, enhanced: POLICY },
  { when: 'our address has no name', email: 'anna@client-name-for-good.test', result: REFUSED_US, enhanced: POLICY },
  { when: 'our name is not in the DNS for now', email: 'anna@helo.test', result: REFUSED_US, enhanced: POLICY },
  { when: 'our name is not in the DNS', email: 'anna@helo-for-good.test', result: REFUSED_US, enhanced: POLICY },
  {
    when: "our sender's domain is not in the DNS for now",
    email: 'anna@sender-domain.test',
    result: REFUSED_US,
    enhanced: POLICY,
  },
  {
    when: "our sender's domain is not in the DNS",
    email: 'anna@sender-domain-for-good.test',
    result: REFUSED_US,
    enhanced: POLICY,
  },
];

describeWithServers(
  'a Postfix that does not let us ask says nothing about the mailbox',
  ({ places, tree }) => {
    tree.place('/etc/postfix/refused', '127.0.0.0/8 reject\n');
    const { domains, listeners, at } = postfixHosts(places, HOSTS);
    const settings = {
      mydestination: Object.keys(domains).join(', '),
      local_recipient_maps: 'inline:{ anna=x }',
      smtpd_relay_restrictions: 'reject_unauth_destination',
      postscreen_greet_wait: '1s',
    };
    return {
      domains,
      records: ['1.0.0.127.blocklist A 127.0.0.2', '1.0.0.127.blocklist TXT "Listed, see https://blocklist.test"'],
      servers: [{ task: postfixTask(tree, { settings, listeners }), at }],
    };
  },
  (bench) => {
    itJudges(REFUSALS, () => bench().checks);

    (isDnsPortFree() ? describe : describe.skip)('asked the DNS about us', () => {
      let stranger: Checks;
      beforeAll(() => {
        stranger = new Checks(bench().servers, { SMTP_HELO_NAME: 'nobody.test' });
      });
      afterAll(() => stranger.close());

      itJudges(FOUND_IN_DNS, () => bench().checks);
      itJudges(MISSED_IN_DNS, () => stranger);
    });
  },
);

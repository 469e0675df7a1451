import { ACCEPTED, type Answer, type MailHost, type ScriptedAnswer } from '../smtp/mail-host.js';
import { domainWithHost, domainWithHosts, joinWorlds, type World } from '../world.js';

/** Expected fields of a result; a list holds alternatives. Other keys may be anything. */
export type Expectation = Readonly<Record<string, unknown>>;

export interface FurtherCase {
  readonly id: string;
  readonly address: string;
  readonly world: World;
  readonly expect: Expectation;
}

const VALID: Expectation = { result: 'valid', reason: 'mailbox_accepts', deliverable: true, recommendation: 'allow' };
const INVALID: Expectation = { result: 'invalid', reason: 'mailbox_not_found', deliverable: false };
const NOT_FOUND: Expectation = { ...INVALID, smtp_diagnosis: 'mailbox_not_found' };
const NO_MX: Expectation = {
  result: 'invalid',
  reason: 'no_mx',
  deliverable: false,
  mx: false,
  recommendation: 'deny',
};
const UNKNOWN: Expectation = { result: 'unknown', deliverable: null, recommendation: 'review' };
const GREYLISTED: Expectation = { ...UNKNOWN, reason: 'greylisted' };
const UNREACHABLE: Expectation = { ...UNKNOWN, reason: 'smtp_unreachable' };
const REFUSED_US: Expectation = { ...UNREACHABLE, smtp_diagnosis: 'policy_block' };
const TIMEOUT: Expectation = { ...UNKNOWN, reason: 'smtp_timeout' };

const knowsReal: MailHost = { recipients: { real: ACCEPTED } };
const everyone = (answer: Answer): MailHost => ({ otherRecipients: answer });
const hangingUp = (lines: string): ScriptedAnswer => ({ lines, afterwards: 'close' });
const blocksUs: MailHost = { greeting: hangingUp('554 5.7.1 Blocked') };

/** Each case has its own domain under a reserved name. */
const domainOf = (id: string): string => `${id}.test`;

/** Asks one mail host about `real`. */
function one(id: string, host: MailHost, expect: Expectation): FurtherCase {
  return { id, address: `real@${domainOf(id)}`, world: domainWithHost(domainOf(id), host), expect };
}

/** Asks several mail hosts, best first, about `real`. */
function several(id: string, hosts: readonly MailHost[], expect: Expectation): FurtherCase {
  return { id, address: `real@${domainOf(id)}`, world: domainWithHosts(domainOf(id), hosts), expect };
}

/** Asks about `real` at a domain whose DNS is tested; `mx.good.test` has the mailbox. */
function dns(id: string, records: World['dns'], expect: Expectation): FurtherCase {
  return { id, address: `real@${domainOf(id)}`, world: { dns: records, hosts: { 'mx.good.test': knowsReal } }, expect };
}

/** A missing or refused mailbox: every recipient gets this reply. */
function refusal(id: string, answer: Answer, expect: Expectation): FurtherCase {
  return one(id, everyone(answer), expect);
}

const aboutTheMailbox: readonly FurtherCase[] = [
  refusal('unknown', '550 5.1.1 <{recipient}>: Recipient address rejected: User unknown in virtual table', NOT_FOUND),
  refusal('microsoft-5110', '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient {recipient} not found', NOT_FOUND),
  refusal('policy-code-no-user', '550 5.7.1 No such user here', NOT_FOUND),
  one(
    'unattributed',
    { recipients: { postmaster: ACCEPTED }, otherRecipients: '550 Requested action not taken: mailbox unavailable' },
    NOT_FOUND,
  ),
  refusal('german', '550 Benutzer unbekannt', NOT_FOUND),
  refusal('russian', '550 Нет такого пользователя', NOT_FOUND),
  refusal('spanish', '550 El usuario no existe en este servidor', NOT_FOUND),
  refusal('chinese', '550 用户不存在', NOT_FOUND),
  refusal('moved', '551 5.1.6 User not local; recipient no longer on server', INVALID),
  refusal('full', '552 5.2.2 The email account that you tried to reach is over quota', {
    ...INVALID,
    smtp_diagnosis: 'mailbox_full',
  }),
  refusal('disabled', '550 5.2.1 The email account that you tried to reach is disabled', {
    ...INVALID,
    smtp_diagnosis: 'mailbox_disabled',
  }),
  refusal(
    'two-line-code',
    ['550-5.1.1 The email account that you tried to reach does', '550 5.1.1 not exist.'],
    NOT_FOUND,
  ),
  one('forwarded', { recipients: { real: '251 2.1.5 User not local; will forward to <real@example.org>' } }, VALID),
  {
    id: 'echo-in-local-part',
    address: 'spamhaus.blocked@echo-in-local-part.test',
    world: domainWithHost('echo-in-local-part.test', {}),
    expect: NOT_FOUND,
  },
  {
    id: 'quoted-local-part',
    address: '"two words"@quoted-local-part.test',
    world: domainWithHost('quoted-local-part.test', { recipients: { '"two words"': ACCEPTED } }),
    expect: VALID,
  },
];

const aboutUs: readonly FurtherCase[] = [
  refusal(
    'spamhaus',
    '550 5.7.1 Service unavailable; client host [{client}] blocked using zen.spamhaus.org',
    REFUSED_US,
  ),
  refusal('spamhaus-no-code', '550 Rejected: {client} is listed at zen.spamhaus.org', REFUSED_US),
  refusal('spf', '550 SPF check failed for {sender}', REFUSED_US),
  refusal('sender-null-mx', '550 5.7.27 Sender address has null MX', REFUSED_US),
  refusal('proofpoint', '554 5.7.0 Blocked - see https://ipcheck.proofpoint.com/?ip={client}', REFUSED_US),
  refusal('access-denied', '554 5.7.1 <unknown[{client}]>: Client host rejected: Access denied', REFUSED_US),
  refusal('relay', '554 5.7.1 <{recipient}>: Relay access denied', REFUSED_US),
  refusal('relay-old', '550 5.7.1 <{recipient}>... Relaying denied. Proper authentication required.', REFUSED_US),
  refusal('authentication', '530 5.7.0 Authentication required', UNREACHABLE),
  refusal('helo-rejected', '550 5.7.1 <{helo}>: Helo command rejected: Host not found', REFUSED_US),
  refusal('unknown-user-in-url', '550 5.7.1 Message rejected, see https://example.com/user-unknown', REFUSED_US),
  refusal('russian-block', '550 Ваш IP-адрес {client} находится в черном списке', UNKNOWN),
  refusal('german-block', '550 Ihre IP-Adresse {client} steht auf einer Sperrliste', UNKNOWN),
  refusal('chinese-block', '550 您的IP地址{client}在黑名单中', UNKNOWN),
  refusal('too-fast', hangingUp('421 4.7.28 Our system has detected an unusual rate of mail from {client}'), UNKNOWN),
  one('sender-unknown-at-mail', { ...knowsReal, mail: '550 5.1.1 User unknown' }, UNREACHABLE),
  one('refused-at-mail', { ...knowsReal, mail: '554 5.7.1 Sender address rejected: Access denied' }, UNREACHABLE),
  one('unknown-user-in-greeting', { greeting: hangingUp('550 5.1.1 User unknown') }, UNREACHABLE),
  one('refused-at-ehlo', { ehlo: '550 5.5.0 Invalid EHLO', helo: '550 5.5.0 Invalid HELO' }, UNREACHABLE),
  refusal('our-sender-unknown', '550 5.1.1 <{sender}>: Recipient address rejected: User unknown', REFUSED_US),
  refusal('our-address-and-no-words', '550 5.2.0 {client} X-BL004', REFUSED_US),
  one('our-sender-unknown-at-mail', { ...knowsReal, mail: '550 5.1.1 <{sender}>: User unknown' }, REFUSED_US),
  one('null-mx-sender-at-mail', { ...knowsReal, mail: '550 5.7.27 <{sender}>: Domain has null MX' }, REFUSED_US),
  one('sender-syntax-at-mail', { ...knowsReal, mail: '501 5.1.7 Bad sender address syntax' }, REFUSED_US),
  one('nested-mail', { ...knowsReal, mail: '503 5.5.1 Sender already specified' }, UNREACHABLE),
  one('later-in-greeting', { greeting: '421 4.7.0 Try again later' }, REFUSED_US),
  one('busy-at-ehlo', { ehlo: hangingUp('421 4.3.2 Service shutting down') }, UNREACHABLE),
];

const forNow: readonly FurtherCase[] = [
  refusal('greylisting', '450 4.2.0 <{recipient}>: Recipient address rejected: Greylisted, try again in 5 minutes', {
    ...GREYLISTED,
    smtp_diagnosis: 'greylist_deferred',
  }),
  refusal('greylisting-451', '451 4.7.1 Please try again later', GREYLISTED),
  refusal('greylisting-as-550', '550 5.7.1 Greylisted, please try again in 300 seconds', UNKNOWN),
  refusal('storage', '452 4.3.1 Insufficient system storage', GREYLISTED),
  refusal(
    'mailbox-rate',
    '450 4.2.1 The user you are trying to contact is receiving mail at a rate that is too high',
    GREYLISTED,
  ),
  refusal('unknown-for-now', '450 4.1.1 <{recipient}>: User unknown', GREYLISTED),
  refusal('mimecast', '451 Internal resources are temporarily unavailable - please retry', GREYLISTED),
];

const randomRecipient: readonly FurtherCase[] = [
  one('random-blocked', { ...knowsReal, otherRecipients: '550 5.7.1 Blocked by policy' }, VALID),
  one(
    'random-cut-off',
    { ...knowsReal, otherRecipients: hangingUp('421 4.7.0 Goodbye') },
    { ...VALID, catch_all: false },
  ),
  one('random-silent', { ...knowsReal, otherRecipients: { afterwards: 'silence' } }, VALID),
  one('one-error-allowed', { ...knowsReal, hardErrorLimit: 1 }, VALID),
  one(
    'second-recipient-cut-off',
    { ...knowsReal, recipientLimit: { count: 1, answer: hangingUp('421 4.5.3 No') } },
    VALID,
  ),
  one(
    'catch-all-one-recipient',
    { ...everyone(ACCEPTED), recipientLimit: { count: 1, answer: '452 4.5.3 Too many recipients' } },
    { result: 'catch_all', reason: 'catch_all_domain', catch_all: true, deliverable: null, recommendation: 'review' },
  ),
];

const cutting = (lines: string | readonly string[]): ScriptedAnswer => ({ lines, afterwards: 'reset' });
const cutOff: readonly FurtherCase[] = [
  one('says-nothing-and-hangs-up', { greeting: { afterwards: 'close' } }, UNREACHABLE),
  one('hangs-up-after-greeting', { ...knowsReal, closeAfter: 'greeting' }, UNREACHABLE),
  one('hangs-up-after-ehlo', { ...knowsReal, closeAfter: 'ehlo' }, UNREACHABLE),
  one('hangs-up-after-mail', { ...knowsReal, closeAfter: 'mail' }, UNREACHABLE),
  one('resets-after-greeting', { ...knowsReal, greeting: cutting('220 mx ESMTP') }, UNREACHABLE),
  one('resets-after-ehlo', { ...knowsReal, ehlo: cutting('250 mx') }, UNREACHABLE),
  one('resets-after-mail', { ...knowsReal, mail: cutting('250 2.1.0 Ok') }, UNREACHABLE),
  one('resets-at-recipient', everyone(cutting([])), UNREACHABLE),
  one('resets-after-accepting', { recipients: { real: cutting(ACCEPTED) } }, VALID),
  one('refusal-cut-short', everyone({ bytes: Buffer.from('550 5.1.1 User unknown'), afterwards: 'close' }), UNKNOWN),
  one('drips-at-recipient', everyone({ lines: Array(40).fill('550-5.1.1 User unknown'), gapMs: 300 }), TIMEOUT),
];

const dialogue: readonly FurtherCase[] = [
  one('pipelining-503', { ...knowsReal, pipelinedAnswer: '503 5.5.1 Bad sequence of commands' }, VALID),
  one('pipelining-554', { ...knowsReal, pipelinedAnswer: hangingUp('554 5.5.1 Improper command pipelining') }, VALID),
  one('zero-bytes', everyone({ bytes: Buffer.from('550 5.1.1 User\0 unknown\0\r\n') }), NOT_FOUND),
  one('ehlo-not-liked', { ...knowsReal, ehlo: '550 5.5.0 Invalid EHLO' }, VALID),
  one('stock', { ...knowsReal, server: 'stock', starttls: 'works' }, { ...VALID, catch_all: false }),
  one('stock-unknown', { server: 'stock', recipients: {} }, NOT_FOUND),
  one('byte-by-byte', { ...knowsReal, split: 'byte' }, VALID),
  one('bare-line-feeds', { ...knowsReal, lineEnd: '\n' }, VALID),
  one('all-multiline', { ...knowsReal, multiline: true }, VALID),
  one('no-pipelining', { ...knowsReal, pipelining: false }, { ...VALID, catch_all: false }),
  one('hangs-up-on-ehlo', { ...knowsReal, ehlo: hangingUp('500 5.5.1 Unrecognized command') }, VALID),
  one('hangs-up-on-quit', { ...knowsReal, quit: { afterwards: 'close' } }, VALID),
  one('ignores-quit', { ...knowsReal, quit: { afterwards: 'silence' } }, VALID),
  one('hangs-up-after-any-recipient', { ...knowsReal, closeAfter: 'rcpt' }, VALID),
  one('resets-after-refusal', { ...knowsReal, otherRecipients: { lines: '550 5.1.1 No', afterwards: 'reset' } }, VALID),
  one('forgets-ehlo-once', { ...knowsReal, sessions: [{ mail: '503 5.5.1 Error: send HELO/EHLO first' }, {}] }, VALID),
  one('greets-after-3-s', { ...knowsReal, greeting: { lines: '220 mx ESMTP', delayMs: 3000 } }, VALID),
  one('long-greeting', { ...knowsReal, greeting: ['220-welcome', '220-no spam please', '220 mx ESMTP'] }, VALID),
  one('no-rset', { ...knowsReal, rset: '502 5.5.1 Not implemented' }, { ...VALID, catch_all: false }),
  one('busy-greeting', { greeting: hangingUp('421 4.3.2 Too busy') }, UNREACHABLE),
  one('silent-at-recipient', everyone({ afterwards: 'silence' }), TIMEOUT),
  one('half-a-reply', everyone({ bytes: Buffer.from('250 2.1.5 O'), afterwards: 'silence' }), TIMEOUT),
  one('hangs-up-at-recipient', everyone({ afterwards: 'close' }), UNKNOWN),
  one('endless-at-recipient', everyone({ lines: '250-2.1.5', afterwards: 'endless' }), UNKNOWN),
  one('not-smtp', { greeting: hangingUp('HTTP/1.1 400 Bad Request') }, UNKNOWN),
  one('resets-connections', { tcp: 'reset' }, UNREACHABLE),
  one('drops-packets', { tcp: 'dropped' }, UNREACHABLE),
];

const TLS_FIRST = '530 5.7.0 Must issue a STARTTLS command first';
const transportSecurity: readonly FurtherCase[] = [
  one('tls-at-mail', { ...knowsReal, starttls: 'works', tlsDemanded: { at: 'mail', answer: TLS_FIRST } }, VALID),
  one('tls-at-recipient', { ...knowsReal, starttls: 'works', tlsDemanded: { at: 'rcpt', answer: TLS_FIRST } }, VALID),
  one('tls-broken-not-demanded', { ...knowsReal, starttls: 'broken' }, VALID),
  one('tls-broken', { ...knowsReal, starttls: 'broken', tlsDemanded: { at: 'mail', answer: TLS_FIRST } }, UNREACHABLE),
  one(
    'tls-454',
    { ...knowsReal, starttlsRefusal: '454 4.7.0 No', tlsDemanded: { at: 'mail', answer: TLS_FIRST } },
    UNKNOWN,
  ),
  one(
    'tls-injection',
    { recipients: {}, starttls: 'injects', tlsDemanded: { at: 'mail', answer: TLS_FIRST } },
    NOT_FOUND,
  ),
];

const failover: readonly FurtherCase[] = [
  several('over-421', [{ greeting: hangingUp('421 4.3.2 Busy') }, knowsReal], VALID),
  several('over-4xx-greeting', [{ greeting: '450 4.3.2 Later' }, knowsReal], VALID),
  several('over-refused-mail', [{ ...knowsReal, mail: '554 5.7.1 No' }, knowsReal], VALID),
  several('over-deferred-recipient', [everyone('451 4.3.0 Later'), knowsReal], VALID),
  several('over-dropped', [{ tcp: 'dropped' }, knowsReal], VALID),
  several('over-silent', [{ greeting: { afterwards: 'silence' } }, knowsReal], VALID),
  several('over-two', [{ tcp: 'refused' }, { tcp: 'reset' }, knowsReal], VALID),
  several('over-four', [{ tcp: 'refused' }, { tcp: 'refused' }, { tcp: 'reset' }, blocksUs, knowsReal], VALID),
  several('over-421-at-recipient', [everyone(hangingUp('421 4.7.0 Closing')), knowsReal], VALID),
  several('over-hung-up-at-recipient', [everyone({ afterwards: 'close' }), knowsReal], VALID),
  several('over-no-smtp', [{ greeting: 'HTTP/1.1 200 OK' }, knowsReal], VALID),
  several('refused-by-all', [blocksUs, blocksUs, blocksUs], REFUSED_US),
  several('no-second-opinion', [{}, knowsReal], NOT_FOUND),
  several('furthest-decides', [everyone('451 4.7.1 Greylisted'), blocksUs, { tcp: 'refused' }], GREYLISTED),
];

const good = 'mx.good.test';
const many = Array.from({ length: 60 }, (_, n): readonly [number, string] => [20 + n, `mx${n}.many.test`]);
const nameService: readonly FurtherCase[] = [
  dns('no-such-domain', {}, NO_MX),
  dns('no-mail-records', { 'no-mail-records.test': { TXT: ['v=spf1 -all'] } }, NO_MX),
  dns('dangling', { 'dangling.test': { MX: [[10, 'missing.dangling.test']], A: [good] } }, NO_MX),
  dns(
    'dangling-then-good',
    {
      'dangling-then-good.test': {
        MX: [
          [10, 'missing.good.test'],
          [20, good],
        ],
      },
    },
    VALID,
  ),
  dns(
    'mx-is-alias',
    { 'mx-is-alias.test': { MX: [[10, 'a.mx-is-alias.test']] }, 'a.mx-is-alias.test': { CNAME: good } },
    VALID,
  ),
  dns('domain-is-alias', { 'domain-is-alias.test': { CNAME: 'real.test' }, 'real.test': { MX: [[10, good]] } }, VALID),
  dns('alias-loop', { 'alias-loop.test': { CNAME: 'b.test' }, 'b.test': { CNAME: 'alias-loop.test' } }, UNREACHABLE),
  dns('mx-is-address', { 'mx-is-address.test': { MX: [[10, '192.0.2.1']] } }, NO_MX),
  dns('mx-is-localhost', { 'mx-is-localhost.test': { MX: [[10, 'localhost']] } }, NO_MX),
  dns('slow-zone', { 'slow-zone.test': { MX: [[10, good]], fault: { delayMs: 1500 } } }, VALID),
  dns('truncated', { 'truncated.test': { MX: [[10, good]], fault: { truncate: true } } }, VALID),
  dns('many', { 'many.test': { MX: [[10, good], ...many] } }, VALID),
  dns('first-dropped', { 'first-dropped.test': { MX: [[10, good]], fault: { dropFirst: 1 } } }, VALID),
  dns('forged-id', { 'forged-id.test': { MX: [[10, good]], fault: { wrongId: true, thenRight: true } } }, VALID),
  dns(
    'forged-question',
    { 'forged-question.test': { MX: [[10, good]], fault: { wrongQuestion: true, thenRight: true } } },
    VALID,
  ),
  dns(
    'garbage-first',
    { 'garbage-first.test': { MX: [[10, good]], fault: { garbage: true, thenRight: true } } },
    VALID,
  ),
  dns('refused-zone', { 'refused-zone.test': { fault: { refused: true } } }, UNREACHABLE),
  dns('silent-zone', { 'silent-zone.test': { fault: { silent: true } } }, UNREACHABLE),
  // Empty, so that only the servers' manner tells that nobody has found out whether it is there.
  dns('filtered-zone', { 'filtered-zone.test': { fault: { withoutRecursion: true } } }, UNREACHABLE),
  dns('censored-zone', { 'censored-zone.test': { fault: { extendedError: 16 } } }, UNREACHABLE),
  dns('unreached-zone', { 'unreached-zone.test': { fault: { extendedError: 22 } } }, UNREACHABLE),
  dns(
    'filtered-host',
    {
      'filtered-host.test': { MX: [[10, 'mx.filtered-host.test']] },
      'mx.filtered-host.test': { A: ['0.0.0.0'], fault: { extendedError: 15 } },
    },
    UNREACHABLE,
  ),
  dns('bogus-zone', { 'bogus-zone.test': { MX: [[10, good]], fault: { bogus: true } } }, UNREACHABLE),
  dns(
    'host-servfail',
    {
      'host-servfail.test': { MX: [[10, 'mx.host-servfail.test']] },
      'mx.host-servfail.test': { fault: { servfail: true } },
    },
    UNREACHABLE,
  ),
  dns(
    'no-aaaa-answers',
    {
      'no-aaaa-answers.test': { MX: [[10, 'mx.no-aaaa-answers.test']] },
      'mx.no-aaaa-answers.test': { A: [good], fault: { silent: true, types: ['AAAA'] } },
    },
    VALID,
  ),
  {
    id: 'idn',
    address: 'real@bücher.test',
    world: { dns: { 'xn--bcher-kva.test': { MX: [[10, good]] } }, hosts: { [good]: knowsReal } },
    expect: { ...VALID, mx_record: good },
  },
];

/** `real` at a domain with a mail host of this provider. */
function hosted(id: string, mailHost: string, host: MailHost, expect: Expectation): FurtherCase {
  const world = { dns: { [domainOf(id)]: { MX: [[10, mailHost]] as const } }, hosts: { [mailHost]: host } };
  return { id, address: `real@${domainOf(id)}`, world, expect };
}

const ACCEPTS_ALL: Expectation = { result: 'catch_all', deliverable: null, catch_all: true, recommendation: 'review' };
const providers: readonly FurtherCase[] = [
  hosted('yahoo', 'mta7.am0.yahoodns.net', everyone(ACCEPTED), {
    ...ACCEPTS_ALL,
    reason: ['accept_all_provider', 'catch_all_domain'],
  }),
  hosted('sendgrid', 'mx.sendgrid.net', everyone(ACCEPTED), { ...ACCEPTS_ALL, reason: 'accept_all_provider' }),
  hosted(
    'outlook-consumer',
    'outlook-test.olc.protection.outlook.com',
    { ...knowsReal, recipientLimit: { count: 1, answer: '452 4.5.3 Recipients belong to multiple regions ATTR38' } },
    VALID,
  ),
  hosted(
    'microsoft-365',
    'lab-test.mail.protection.outlook.com',
    everyone('550 5.4.1 Recipient address rejected: Access denied. AS(201806281)'),
    NOT_FOUND,
  ),
  hosted(
    'google',
    'aspmx.l.google.com',
    everyone([
      '550-5.1.1 The email account that you tried to reach does not exist. Please try',
      "550-5.1.1 double-checking the recipient's email address for typos or",
      '550 5.1.1 unnecessary spaces. https://support.google.com/mail/?p=NoSuchUser x1-test - gsmtp',
    ]),
    NOT_FOUND,
  ),
];

const internationalized: readonly FurtherCase[] = [
  {
    id: 'second-host-has-smtputf8',
    address: 'réal@second-host-has-smtputf8.test',
    world: domainWithHosts('second-host-has-smtputf8.test', [{}, { smtputf8: true, recipients: { réal: ACCEPTED } }]),
    expect: VALID,
  },
  {
    id: 'no-host-has-smtputf8',
    address: 'réal@no-host-has-smtputf8.test',
    world: domainWithHosts('no-host-has-smtputf8.test', [{}, {}]),
    expect: NOT_FOUND,
  },
];

const settledWithoutProbe: readonly FurtherCase[] = [
  {
    id: 'role',
    address: 'info@role.test',
    world: domainWithHost('role.test', everyone(ACCEPTED)),
    expect: { result: 'role', reason: 'role_address', deliverable: null, recommendation: 'review', mx: true },
  },
  {
    id: 'throw-away',
    address: 'real@mailinator.com',
    world: domainWithHost('mailinator.com', everyone(ACCEPTED)),
    expect: { result: 'disposable', reason: 'disposable_provider', deliverable: null, recommendation: 'deny' },
  },
];

/** Our own cases: the kinds of trouble known from public issue trackers, each with its verdict. */
export const FURTHER_CASES: readonly FurtherCase[] = [
  ...aboutTheMailbox,
  ...aboutUs,
  ...forNow,
  ...randomRecipient,
  ...cutOff,
  ...dialogue,
  ...transportSecurity,
  ...failover,
  ...nameService,
  ...providers,
  ...internationalized,
  ...settledWithoutProbe,
];

export const furtherCasesWorld: World = joinWorlds(...FURTHER_CASES.map(({ world }) => world));

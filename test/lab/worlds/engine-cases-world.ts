import { ACCEPTED, type Answer, type MailHost } from '../smtp/mail-host.js';
import { domainWithHost, domainWithHosts, joinWorlds, type World } from '../world.js';

/** One whole-engine case: an address and its world. */
export interface EngineCase {
  readonly address: string;
  readonly world: World;
}

const knowsReal: MailHost = { recipients: { real: ACCEPTED } };
const everyone = (answer: Answer): MailHost => ({ otherRecipients: answer });

/** A case with one mail host and the mailbox `real`. */
function real(id: string, host: MailHost): [string, EngineCase] {
  const domain = domainOf(id);
  return [id, { address: `real@${domain}`, world: domainWithHost(domain, host) }];
}

/** A case with one mail host that answers as given for the missing mailbox `ghost`. */
function ghost(id: string, answer: Answer, host: MailHost = {}): [string, EngineCase] {
  const domain = domainOf(id);
  const world = domainWithHost(domain, { ...host, recipients: { real: ACCEPTED }, otherRecipients: answer });
  return [id, { address: `ghost@${domain}`, world }];
}

/** A case with several mail hosts, best first, and the mailbox `real`. */
function severalHosts(id: string, hosts: readonly MailHost[]): [string, EngineCase] {
  const domain = domainOf(id);
  return [id, { address: `real@${domain}`, world: domainWithHosts(domain, hosts) }];
}

function domainOf(id: string): string {
  return `c${id.slice(1).toLowerCase()}-lab.com`;
}

/** 用户不存在 ("this user does not exist") as GBK bytes. */
const GBK_UNKNOWN_USER = Buffer.from('d3c3bba7b2bbb4e6d4da', 'hex');

const internationalized = (smtputf8: boolean): MailHost => ({
  smtputf8,
  recipients: { real: ACCEPTED, réal: ACCEPTED },
  ...(smtputf8 && { smtputf8Demanded: '550 5.6.7 SMTPUTF8 needed' }),
});

/** The whole-engine cases by id. */
export const ENGINE_CASES: ReadonlyMap<string, EngineCase> = new Map<string, EngineCase>([
  real('E01', knowsReal),
  real('E03', everyone(ACCEPTED)),
  real('E05', { ...knowsReal, otherRecipients: '451 4.7.1 Greylisted, please try again later' }),
  real('E07', { recipients: { real: '552 5.2.2 Mailbox full' }, otherRecipients: ACCEPTED }),
  real('E09', everyone('550 5.7.25 Client host rejected: cannot find your reverse hostname, [{client}]')),
  real('E11', { greeting: '554 5.7.1 Your address is blocked', closeAfter: 'greeting' }),
  [
    'E13',
    {
      address: 'ghost@spam-blocked-marble.c13-lab.com',
      world: domainWithHost('spam-blocked-marble.c13-lab.com', {
        ...knowsReal,
        otherRecipients: '550 5.1.1 <{recipient}>: User unknown',
      }),
    },
  ],
  ghost('E15', ['550-5.1.1 The account you asked for', '550-5.1.1 is not known here.', '550 5.1.1 Goodbye'], {
    multiline: true,
    split: 'line',
  }),
  real('E17', { ...knowsReal, ehlo: '502 5.5.1 Command not implemented' }),
  severalHosts('E19', [{ tcp: 'refused' }, knowsReal]),
  real('E21', { greeting: { afterwards: 'silence' } }),
  real('E23', { ...knowsReal, closeAfter: 'refused_rcpt' }),
  ['E25', { address: 'real@c25-lab.com', world: { dns: {}, hosts: { 'c25-lab.com': knowsReal } } }],
  ['E27', { address: 'real@c27-lab.com', world: { dns: { 'c27-lab.com': { fault: { servfail: true } } }, hosts: {} } }],
  ghost('E29', { bytes: Buffer.concat([Buffer.from('550 '), GBK_UNKNOWN_USER, Buffer.from('\r\n')]) }),
  real('E31', { recipients: { real: '451 4.3.0 Temporary lookup failure' } }),
  real('E33', { ...knowsReal, recipientLimit: { count: 1, answer: '452 4.5.3 Too many recipients' } }),
  ghost('E35', '550 5.4.1 Recipient address rejected: Access denied'),
  real('E37', { tcp: 'refused', untouchedPorts: [465, 587] }),
  real('E39', { greeting: { afterwards: 'endless' } }),
  real('E41', everyone('252 2.1.5 Cannot VRFY user, but will accept message and attempt delivery')),
  real('E43', everyone('450 Requested mail action not taken: mailbox unavailable')),
  real('E45', {
    greeting: '220',
    ehlo: '250',
    mail: '250',
    recipients: { real: '250' },
    otherRecipients: '550',
    rset: '250',
    quit: '221',
  }),
  real('E47', { ...knowsReal, greeting: { lines: '220 mx.c47-lab.com ESMTP', delayMs: 8000 } }),
  severalHosts('E49', [{ greeting: '554 5.7.1 Blocked', closeAfter: 'greeting' }, knowsReal]),
  ghost('E51', '550 Utilisateur inconnu'),
  real('E53', everyone({ lines: '421 4.7.0 Rate limited, closing connection', afterwards: 'close' })),
  ghost('E55', '553 5.1.3 Invalid address syntax'),
  real('E57', {
    recipients: { real: ACCEPTED },
    otherRecipients: '550 5.5.0 Requested action not taken: mailbox unavailable',
    recipientLimit: { count: 1, answer: '452 4.5.3 Recipients belong to multiple regions ATTR38' },
  }),
  ghost('E59', '552 1 Requested mail action aborted, mailbox not found'),
  ghost('E61', '550 5.2.1 <{recipient}>... Addressee unknown, relay=[192.0.2.1]'),
  real('E63', { recipients: { real: '452 4.1.1 <{recipient}> user over quota' } }),
  real('E65', { ...knowsReal, split: 'line', mail: '503 5.5.1 Error: send HELO/EHLO first' }),
  real('E67', {
    ...knowsReal,
    heloPolicy: {
      forbidden: ['c67-lab.com', 'mx.c67-lab.com'],
      answer: { lines: '501 5.5.2 Helo command rejected: need your own fully-qualified hostname', afterwards: 'close' },
    },
  }),
  real('E69', { ...knowsReal, starttlsRefusal: '454 4.7.0 TLS not available due to local problem' }),
  real('E71', everyone(['250-2.1.5 ok', '550 5.1.1 no'])),
  ['E73a', { address: 'real@c73a-lab.com', world: { dns: { 'c73a-lab.com': { MX: [[10, '.']] } }, hosts: {} } }],
  [
    'E73b',
    {
      address: 'real@c73b-lab.com',
      world: {
        dns: {
          'c73b-lab.com': {
            MX: [
              [0, '.'],
              [10, 'mx.c73b-lab.com'],
            ],
          },
        },
        hosts: { 'mx.c73b-lab.com': knowsReal },
      },
    },
  ],
  severalHosts(
    'E75',
    Array.from({ length: 13 }, (_, index): MailHost => ({ tcp: index % 2 === 0 ? 'refused' : 'dropped' })),
  ),
  ['E77', { address: 'réal@c77-lab.com', world: domainWithHost('c77-lab.com', internationalized(false)) }],
  ['E77b', { address: 'réal@c77b-lab.com', world: domainWithHost('c77b-lab.com', internationalized(true)) }],
  [
    'E79',
    {
      address: 'real@c79-lab.com',
      world: joinWorlds(domainWithHost('c79-lab.com', knowsReal), {
        dns: { 'c79-lab.com': { MX: [[10, 'mx.c79-lab.com']], fault: { servfailForMs: 2000 } } },
        hosts: {},
      }),
    },
  ],
  real('E83', { ...knowsReal, otherRecipients: '552 5.2.2 Mailbox full' }),
  real('E87', {
    ...knowsReal,
    greeting: { lines: ['220-mx.c87-lab.com ESMTP teaser', '220 mx.c87-lab.com ESMTP'], gapMs: 6000 },
    earlyTalker: '521 5.5.1 Protocol error',
  }),
  real('E91', { ...knowsReal, delayMs: 300 }),
]);

export const engineCasesWorld: World = joinWorlds(...[...ENGINE_CASES.values()].map(({ world }) => world));

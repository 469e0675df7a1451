import { ACCEPTED, type MailHost } from '../smtp/mail-host.js';
import { domainWithHost, domainWithHosts, joinWorlds, type World } from '../world.js';

/** One line of the demo's table. */
export interface DemoAddress {
  readonly address: string;
  readonly mode: 'quick' | 'standard' | 'enhanced';
  /** A description for people. */
  readonly shows: string;
  readonly expect: DemoVerdict;
  /** Also correct once the worker has asked again: one demo may begin where another ended. */
  readonly expectLater?: DemoVerdict;
}

type DemoVerdict = Readonly<{ result: string; reason: string | null }>;

const staff: MailHost = {
  recipients: {
    alice: ACCEPTED,
    bob: ACCEPTED,
    info: ACCEPTED,
    carol: '550 5.2.1 <{recipient}>: This account has been disabled',
    dave: '552 5.2.2 <{recipient}>: Mailbox full, quota exceeded',
  },
};

/** A small internet that shows every verdict. Its names are reserved, except a throw-away domain and a typo. */
export const demoWorld: World = joinWorlds(
  domainWithHost('company.example', staff),
  domainWithHost('plain.example', { server: 'stock', starttls: 'works', recipients: { frank: ACCEPTED } }),
  domainWithHost('catch-all.example', { otherRecipients: ACCEPTED }),
  domainWithHost('greylisting.example', {
    ...staff,
    greylist: {
      afterMs: 5000,
      answer: '450 4.2.0 <{recipient}>: Recipient address rejected: Greylisted, try again in 5 seconds',
    },
  }),
  domainWithHost('wary.example', {
    otherRecipients: '550 5.7.1 Service unavailable; client host [{client}] blocked using a block list',
  }),
  domainWithHost('silent.example', { greeting: { afterwards: 'silence' } }),
  domainWithHost('secret.example', {
    ...staff,
    starttls: 'works',
    tlsDemanded: { at: 'mail', answer: '530 5.7.0 Must issue a STARTTLS command first' },
  }),
  domainWithHost('slow.example', { ...staff, delayMs: 300 }),
  domainWithHosts('failover.example', [{ tcp: 'refused' }, staff]),
  domainWithHost('xn--bcher-kva.example', staff),
  domainWithHost('mailinator.com', { otherRecipients: ACCEPTED }),
  {
    dns: {
      'no-mail.example': { MX: [[0, '.']] },
      'web-only.example': { TXT: ['v=spf1 -all'] },
      'broken.example': { fault: { servfail: true } },
    },
    // No MX record: mail goes to the domain itself (RFC 5321 5.1).
    hosts: { 'apex.example': staff },
  },
);

/** The addresses that the demo verifies, in the order of its table. */
export const DEMO_ADDRESSES: readonly DemoAddress[] = [
  expecting('alice@company.example', 'standard', 'a mailbox that exists', 'valid', 'mailbox_accepts'),
  expecting('bob@company.example', 'enhanced', 'the same, and the domain is no catch-all', 'valid', 'mailbox_accepts'),
  expecting('nemo@company.example', 'standard', 'unknown mailbox', 'invalid', 'mailbox_not_found'),
  expecting('carol@company.example', 'enhanced', 'disabled mailbox', 'invalid', 'mailbox_not_found'),
  expecting('dave@company.example', 'enhanced', 'full mailbox', 'invalid', 'mailbox_not_found'),
  expecting('info@company.example', 'standard', 'role address', 'role', 'role_address'),
  expecting('alice@company.example', 'quick', 'syntax and DNS only', 'unknown', null),
  expecting('anyone@catch-all.example', 'enhanced', 'catch-all domain', 'catch_all', 'catch_all_domain'),
  expecting('someone@mailinator.com', 'standard', 'throw-away provider', 'disposable', 'disposable_provider'),
  expecting('alice..smith@company.example', 'standard', 'bad syntax', 'invalid', 'bad_syntax'),
  expecting('alice@nowhere.example', 'standard', 'domain does not exist', 'invalid', 'no_mx'),
  expecting('alice@web-only.example', 'standard', 'domain without mail', 'invalid', 'no_mx'),
  expecting('alice@no-mail.example', 'standard', 'null MX: takes no mail', 'invalid', 'no_mx'),
  expecting('alice@gmial.com', 'standard', 'mistyped domain', 'invalid', 'no_mx'),
  expecting('alice@broken.example', 'standard', 'broken DNS', 'unknown', 'smtp_unreachable'),
  {
    ...expecting('alice@greylisting.example', 'enhanced', 'greylisted', 'unknown', 'greylisted'),
    expectLater: { result: 'valid', reason: 'mailbox_accepts' },
  },
  expecting('alice@wary.example', 'enhanced', 'refuses the prober by policy', 'unknown', 'smtp_unreachable'),
  expecting('alice@silent.example', 'standard', 'never greets: timeout', 'unknown', 'smtp_timeout'),
  expecting('alice@secret.example', 'standard', 'demands STARTTLS', 'valid', 'mailbox_accepts'),
  expecting('alice@slow.example', 'standard', 'slow host', 'valid', 'mailbox_accepts'),
  expecting('alice@failover.example', 'standard', 'best mail host down, second works', 'valid', 'mailbox_accepts'),
  expecting('alice@apex.example', 'standard', 'no MX record, mail at the domain itself', 'valid', 'mailbox_accepts'),
  expecting('alice@bücher.example', 'standard', 'internationalized domain', 'valid', 'mailbox_accepts'),
  expecting('frank@plain.example', 'standard', 'a stock mail server', 'valid', 'mailbox_accepts'),
];

function expecting(
  address: string,
  mode: DemoAddress['mode'],
  shows: string,
  result: string,
  reason: string | null,
): DemoAddress {
  return { address, mode, shows, expect: { result, reason } };
}

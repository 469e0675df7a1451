import { ACCESS_PROVIDER_DOMAINS } from './data/access-provider-domains.js';
import { DISPOSABLE_MAIL_HOSTS } from './data/disposable-mail-hosts.js';
import { FREEMAIL_DOMAINS } from './data/freemail-domains.js';
import { RELAY_SERVICES } from './data/relay-services.js';
import { buildAddedList, noAddedList, NOTHING_ADDED, type AddedLists } from './added-lists.js';
import { LIST_NAMES, type ListName } from './refreshable-lists.js';
import { StaticSignalLists } from './static-signal-lists.js';

const lists = new StaticSignalLists(
  new Set([
    'throwaway.example.com',
    'burner.test',
    'sub.burner.test',
    // Mistakes that published lists make: a country's schools, dynamic DNS, a provider, a relay, a top-level domain.
    'edu.pl',
    'duckdns.org',
    'mine.duckdns.org',
    'gmail.com',
    'spamgourmet.com',
    'test',
  ]),
);

describe('StaticSignalLists', () => {
  describe('isDisposableDomain', () => {
    it.each(['burner.test', 'sub.burner.test', 'any.name.burner.test', 'throwaway.example.com', 'mine.duckdns.org'])(
      'is true for %s, listed itself or below a listed name',
      (domain) => expect(lists.isDisposableDomain(domain)).toBe(true),
    );

    it.each([
      'example.com',
      'other.test',
      'notburner.test',
      'uw.edu.pl',
      'edu.pl',
      'duckdns.org',
      'theirs.duckdns.org',
      'test',
    ])('is false for %s, whose listed parent is a public suffix, or is none', (domain) =>
      expect(lists.isDisposableDomain(domain)).toBe(false),
    );

    it.each(['gmail.com', 'spamgourmet.com', 'me.spamgourmet.com'])(
      'is false for %s, which is allow-listed',
      (domain) => {
        expect(lists.isAllowListed(domain)).toBe(true);
        expect(lists.isDisposableDomain(domain)).toBe(false);
      },
    );
  });

  it.each([
    [['mx.yopmail.com'], true],
    [['mx1.example.com', 'in.mail.tm'], true],
    [['mailnesia.com'], true],
    [['mx.notmail.tm', 'yopmail.com.example.com', 'mail.protection.outlook.com'], false],
    [[], false],
  ])('says of the mail hosts %j: throw-away %s', (hosts, disposable) => {
    expect(lists.isDisposableMailHost(hosts)).toBe(disposable);
  });

  it.each([
    ['gmail.com', true],
    ['yahoo.co.uk', true],
    ['comcast.net', true],
    ['hawaii.rr.com', true],
    ['example.com', null],
    ['notgmail.com', null],
    ['gmail.com.example.org', null],
  ])('answers for %s: freemail %s, never false', (domain, freemail) => {
    expect(lists.isFreemail(domain)).toBe(freemail);
  });

  describe('relayProvider', () => {
    it.each([
      ['privaterelay.appleid.com', [], 'Apple Private Relay'],
      ['duck.com', [], 'DuckDuckGo Email Protection'],
      ['mozmail.com', [], 'Firefox Relay'],
      ['john.mozmail.com', [], 'Firefox Relay'],
      ['john.33mail.com', [], '33Mail'],
      ['slmails.com', [], 'SimpleLogin'],
      ['john.anonaddy.com', [], 'addy.io'],
      ['example.com', ['mx2.simplelogin.co', 'mx1.simplelogin.co'], 'SimpleLogin'],
      ['example.com', ['mail2.anonaddy.me'], 'addy.io'],
      ['example.com', ['route1.mx.cloudflare.net'], 'Cloudflare Email Routing'],
      ['example.com', ['mx1.improvmx.com'], 'ImprovMX'],
      ['example.com', ['mx2.forwardemail.net'], 'Forward Email'],
    ])('names the service behind %s with mail hosts %j', (domain, hosts, name) => {
      expect(lists.relayProvider(domain, hosts)).toBe(name);
    });

    it.each([
      ['appleid.com', []],
      ['mail.duck.com', []],
      ['icloud.com', ['mx01.mail.icloud.com']],
      ['startmail.com', []],
      ['example.com', ['mx.example.com', 'cloudflare.net', 'notimprovmx.com']],
      ['toString', ['constructor']],
    ])('is null for %s with mail hosts %j', (domain, hosts) => {
      expect(lists.relayProvider(domain, hosts)).toBeNull();
    });
  });

  it('calls a service with expiring aliases a relay, and still disposable', () => {
    expect(lists.relayProvider('trashmail.com', [])).toBe('TrashMail');
    expect(lists.isAllowListed('trashmail.com')).toBe(false);
  });

  it('has tables of well-formed names, each once', () => {
    const relays = RELAY_SERVICES.flatMap((service) => [...service.domains]);
    const names = [...FREEMAIL_DOMAINS, ...ACCESS_PROVIDER_DOMAINS, ...relays];
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
    const malformed = [...names, ...DISPOSABLE_MAIL_HOSTS].filter(
      (name) => !/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(name),
    );
    expect(malformed).toEqual([]);
  });
});

describe('StaticSignalLists with lists that were fetched', () => {
  const texts: Readonly<Record<ListName, string>> = {
    disposable: 'fetched.test\nyahoo.com\nmailbox.test\nmasked.test\nedu.pl\n',
    'disposable-mx': 'throw.test\n',
    freemail: 'mailbox.test\n',
    relay: 'masked.test\tMasked Mail\nplain.test\n',
    role: 'ombudsman\ncentral-desk\n',
  };
  const build = async (): Promise<AddedLists> => {
    let added = NOTHING_ADDED;
    for (const name of LIST_NAMES)
      added = { ...added, ...(await buildAddedList(name, Buffer.from(texts[name]), () => Promise.resolve())) };
    return added;
  };

  it('finds entries of both', async () => {
    const both = lists.with(await build());
    const disposable = ['burner.test', 'fetched.test', 'a.fetched.test'];
    expect(disposable.filter((domain) => !both.isDisposableDomain(domain))).toEqual([]);
    expect(both.isDisposableMailHost(['mx.throw.test'])).toBe(true);
    expect(both.isDisposableMailHost(['mx.yopmail.com'])).toBe(true);
    expect([both.isFreemail('mailbox.test'), both.isFreemail('gmail.com')]).toEqual([true, true]);
    expect(both.relayProvider('a.masked.test', [])).toBe('Masked Mail');
    expect(both.relayProvider('plain.test', [])).toBe('plain.test');
    expect(both.relayProvider('duck.com', [])).toBe('DuckDuckGo Email Protection');
    const roles = ['ombudsman', 'central-desk', 'central.desk', 'centraldesk', 'ombudsman-eu', 'info', 'ombudsman+x'];
    expect(roles.filter((localPart) => !both.isRole(localPart))).toEqual([]);
    expect([both.isRole('john.ombudsman'), both.isRole(''), lists.isRole('ombudsman')]).toEqual([false, false, false]);
  });

  it('never calls freemail, relays or public suffixes disposable, whichever list they are from', async () => {
    const both = lists.with(await build());
    const spared = ['yahoo.com', 'mailbox.test', 'masked.test', 'uw.edu.pl', 'edu.pl'];
    expect(spared.filter((domain) => both.isDisposableDomain(domain))).toEqual([]);
    expect(both.isAllowListed('mailbox.test')).toBe(true);
  });

  it('returns to the shipped lists when the others are removed', async () => {
    let added = await build();
    for (const name of LIST_NAMES) added = { ...added, ...noAddedList(name) };
    expect(added).toEqual(NOTHING_ADDED);
  });
});

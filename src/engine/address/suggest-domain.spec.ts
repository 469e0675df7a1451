import fc from 'fast-check';
import { ACCESS_PROVIDER_DOMAINS } from '../signals/data/access-provider-domains.js';
import { DISPOSABLE_MAIL_HOSTS } from '../signals/data/disposable-mail-hosts.js';
import { FREEMAIL_DOMAINS } from '../signals/data/freemail-domains.js';
import { MAIL_BRANDS, NEIGHBOURS } from './data/mail-brands.js';
import { suggestDomain } from './suggest-domain.js';

describe('suggestDomain', () => {
  it.each([
    ['gmial.com', 'gmail.com'],
    ['gmaik.com', 'gmail.com'],
    ['gmal.com', 'gmail.com'],
    ['hotmeil.com', 'hotmail.com'],
    ['hotmial.fr', 'hotmail.fr'],
    ['outlok.com', 'outlook.com'],
    ['outllook.com', 'outlook.com'],
    ['iclould.com', 'icloud.com'],
    ['yahho.co.uk', 'yahoo.co.uk'],
    ['protonmial.com', 'protonmail.com'],
    ['comcats.net', 'comcast.net'],
    ['oragne.fr', 'orange.fr'],
    ['t-onlien.de', 't-online.de'],
    ['mial.ru', 'mail.ru'],
    ['tutnoa.de', 'tutanota.de'],
    ['tyelus.net', 'telus.net'],
    ['ciub-internet.fr', 'club-internet.fr'],
    ['netzreo..net', 'netzero.net'],
  ])('puts a mistyped name right: %s', (typed, meant) => {
    expect(suggestDomain(typed)).toBe(meant);
  });

  it.each([
    ['gmail.con', 'gmail.com'],
    ['gmail.co', 'gmail.com'],
    ['gmail.org', 'gmail.com'],
    ['gmail.com.br', 'gmail.com'],
    ['gmail.com.com', 'gmail.com'],
    ['yahoo.uk', 'yahoo.co.uk'],
    ['yahoo.co.ukk', 'yahoo.co.uk'],
    ['hotmail.com.fr', 'hotmail.fr'],
    ['aol.cmo', 'aol.com'],
    ['comcast.ney', 'comcast.net'],
    ['gnail.con', 'gmail.com'],
    ['web.dee', 'web.de'],
    ['gmail.cm', 'gmail.com'],
    ['gmail.om', 'gmail.com'],
    ['gmail.cam', 'gmail.com'],
    ['gmaill.om', 'gmail.com'],
    ['gmail.c', 'gmail.com'],
    ['comcast.ne', 'comcast.net'],
    ['yahoo.co.fr', 'yahoo.fr'],
    ['hotmailco.uk', 'hotmail.co.uk'],
    ['hotmail.co.z', 'hotmail.co.nz'],
    ['msn.cm', 'msn.com'],
    ['mac.cam', 'mac.com'],
    ['protonlail.c', 'protonmail.com'],
    ['navesr.om', 'naver.com'],
    ['liero.t', 'libero.it'],
    ['adrcor.dee', 'arcor.de'],
    ['azzet.vsk', 'azet.sk'],
    ['box.rf', 'bbox.fr'],
    ['aaol.comm', 'aol.com'],
  ])('puts a mistyped suffix of a mail service right: %s', (typed, meant) => {
    expect(suggestDomain(typed)).toBe(meant);
  });

  it.each([
    ['some-shop.cmo', 'some-shop.com'],
    ['mail.some-shop.ogr', 'mail.some-shop.org'],
    ['some-shop.nte', 'some-shop.net'],
    ['some-shop.co.ukk', 'some-shop.co.uk'],
    ['some-shop.couk', 'some-shop.co.uk'],
    ['a.some-shop.co.ukk', 'a.some-shop.co.uk'],
    ['some-shop.edy', 'some-shop.edu'],
    ['some-shop.ifno', 'some-shop.info'],
    ['some-shop.com.bbr', 'some-shop.com.br'],
    ['some-shop.com.auu', 'some-shop.com.au'],
    ['some-shop.co.inn', 'some-shop.co.in'],
    ['some-shop.co.zza', 'some-shop.co.za'],
    ['some-shop.co.jpp', 'some-shop.co.jp'],
    ['some-shop.co.nzz', 'some-shop.co.nz'],
    ['x.og', 'x.org'],
    ['x.co.n', 'x.co.in'],
    ['qa.cum', 'qa.com'],
    ['co.nef', 'co.net'],
    ['aver.kom', 'aver.com'],
    ['mal.coom', 'mal.com'],
  ])('puts a top-level domain right that does not exist: %s', (typed, meant) => {
    expect(suggestDomain(typed)).toBe(meant);
  });

  it.each([
    ['yahoo', 'yahoo.com'],
    ['hotmial', 'hotmail.com'],
    ['gmailcom', 'gmail.com'],
    ['gmailc.om', 'gmail.com'],
    ['gmail,com', 'gmail.com'],
    ['gmail. com', 'gmail.com'],
    ['gmail..com', 'gmail.com'],
    ['.gmail.com', 'gmail.com'],
    ['gmail.com.', 'gmail.com'],
    ['www.gmail.com', 'gmail.com'],
    ['gmáil.com', 'gmail.com'],
    ['gmaıl.com', 'gmail.com'],
  ])('takes what is no domain: %s', (typed, meant) => {
    expect(suggestDomain(typed)).toBe(meant);
  });

  it.each([
    'gmail.com',
    'GMAIL.com ',
    'mail.com',
    'ymail.com',
    'email.com',
    'gmx.co.uk',
    'live.co.uk',
    'yahoo.co.jp',
    'mac.com',
    'me.com',
    'cox.net',
    'hawaii.rr.com',
    'john.33mail.com',
    'yopmail.com',
    'cloud.com',
  ])('never corrects a provider or a known neighbour: %s', (domain) => {
    expect(suggestDomain(domain)).toBeNull();
  });

  it('never corrects a domain of the lists, though many are spelt like another', () => {
    const listed = [...FREEMAIL_DOMAINS, ...ACCESS_PROVIDER_DOMAINS, ...DISPOSABLE_MAIL_HOSTS, ...NEIGHBOURS];
    expect(listed.filter((domain) => suggestDomain(domain) !== null)).toEqual([]);
  });

  it('never corrects a domain it could suggest', () => {
    const domains = MAIL_BRANDS.flatMap(({ name, suffixes }) => suffixes.map((suffix) => `${name}.${suffix}`));
    expect(domains.filter((domain) => suggestDomain(domain) !== null)).toEqual([]);
  });

  it.each([
    'example.com',
    'example.org',
    'stanford.edu',
    'hp.com',
    'ibm.com',
    'lookout.com',
    'comcast.com',
    'verizon.com',
    'orange.es',
    'gmail.example.com',
    'live.org',
    'box.com',
    'shop.dev',
    'mailhost.local',
    'server.lan',
    'some.test',
    'gm',
    'libeo',
    'juno.cm',
    'me.cm',
    'ziggo.ne',
    'eircom.et',
    'yaho.fz',
    'yaho.co.pe',
    'yhao.co.kr',
    'yraoo.co.uk',
    'greenet.de',
    'ianet.net.au',
    'oulfook.fr',
    'iclsuf.com',
    'reiffmail.rom',
    'soho.com',
    'ilist.ru',
    'q.q.com',
    '-virginmedia.coom',
    'localhost',
    'mail',
    'bücher.example',
    '例え.jp',
    'constructor',
    '',
    '.',
    'a'.repeat(2000),
  ])('leaves others alone: %s', (domain) => {
    expect(suggestDomain(domain)).toBeNull();
  });

  it('returns null or a domain that needs no correction, for any string', () => {
    const typed = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .tuple(fc.constantFrom('gmail', 'hotmail', 'yahoo', 'shop'), fc.stringMatching(/^[a-z.,-]{0,6}$/))
        .map((parts) => parts.join('.')),
      fc.domain(),
    );
    fc.assert(
      fc.property(typed, (text) => {
        const suggestion = suggestDomain(text);
        if (suggestion === null) return;
        expect(suggestion).not.toBe(text);
        expect(suggestDomain(suggestion)).toBeNull();
        expect(suggestion).toMatch(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/);
      }),
    );
  });
});

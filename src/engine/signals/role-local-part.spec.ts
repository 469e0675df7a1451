import { ROLE_WORDS } from './data/role-words.js';
import { isRoleLocalPart } from './role-local-part.js';

describe('isRoleLocalPart', () => {
  it('knows every mailbox of RFC 2142', () => {
    const names =
      'info marketing sales support abuse noc security postmaster hostmaster usenet news webmaster www uucp ftp';
    expect(names.split(' ').filter((name) => !isRoleLocalPart(name))).toEqual([]);
  });

  it.each([
    'info',
    'admin',
    'no-reply',
    'noreply',
    'no.reply',
    'no_reply',
    'do-not-reply',
    'donotreply',
    'mailer-daemon',
    'mailer.daemon',
    'mailerdaemon',
    'customer.service',
    'customerservice',
    'accounts-payable',
    'kontakt',
    'soporte',
    'vendas',
    'contabilidad',
    'biuro',
    'info+shop',
    'sales-eu',
    'sales_emea',
    'eu.sales',
    'support-team',
    'support-2',
    'info.de',
    'hr-department',
    'it-support',
    'customer-service-uk',
    'sales.support',
    'sales--eu',
    '-sales',
    'info_',
  ])('takes %s for a role', (localPart) => {
    expect(isRoleLocalPart(localPart)).toBe(true);
  });

  it.each([
    'john',
    'john.smith',
    'john.sales',
    'sales.john',
    'mark-support',
    'bill.ing',
    'in.fo',
    'ad.min',
    'sal.es',
    'infobahn',
    'salesman',
    'helper',
    'teamplayer',
    'chef',
    'alpha',
    'gardner',
    '123',
    'eu',
    'team-eu.john',
    'de-en',
    '+info',
    '.info.smith',
    '',
    '-',
    '"info desk"',
    'mail2john',
    'hr2d2',
  ])('does not take %j for a role', (localPart) => {
    expect(isRoleLocalPart(localPart)).toBe(false);
  });

  it('is fast for long local parts with many separators', () => {
    expect(isRoleLocalPart('-'.repeat(64))).toBe(false);
    expect(isRoleLocalPart('eu-'.repeat(13))).toBe(false);
  });

  it('has no word twice', () => {
    expect(ROLE_WORDS.length).toBe(new Set(ROLE_WORDS).size);
  });
});

/** Operators whose mailboxes for a domain of one's own are a product for organisations, by id of the provider table. */
export const BUSINESS_MAIL_PROVIDERS: readonly string[] = [
  'google',
  'microsoft365',
  'zoho',
  'rackspace',
  'intermedia',
  'yandex',
  'tencent',
];

/**
 * Mail hosts that serve the free mailboxes of large services and nothing else; the services' domains are many, in every
 * country one, and no list has all of them.
 */
export const FREEMAIL_MAIL_HOSTS: readonly string[] = [
  'gmail-smtp-in.l.google.com',
  'olc.protection.outlook.com',
  'mta5.am0.yahoodns.net',
  'mta6.am0.yahoodns.net',
  'mta7.am0.yahoodns.net',
  'mx-eu.mail.am0.yahoodns.net',
  'mx-apac.mail.gm0.yahoodns.net',
  'mx-aol.mail.gm0.yahoodns.net',
];

import { words } from '../../../engine/signals/data/words.js';

/** Providers whose custom-domain mailboxes are a product for organisations, by id of the provider table. */
export const BUSINESS_MAIL_PROVIDERS: readonly string[] = words(`
  google microsoft365 zoho rackspace intermedia yandex tencent
`);

/**
 * Mail hosts that serve only the free mailboxes of large services. No list has all domains of these services, which
 * have one for every country.
 */
export const FREEMAIL_MAIL_HOSTS: readonly string[] = words(`
  gmail-smtp-in.l.google.com olc.protection.outlook.com mta5.am0.yahoodns.net mta6.am0.yahoodns.net
  mta7.am0.yahoodns.net mx-eu.mail.am0.yahoodns.net mx-apac.mail.gm0.yahoodns.net mx-aol.mail.gm0.yahoodns.net
`);

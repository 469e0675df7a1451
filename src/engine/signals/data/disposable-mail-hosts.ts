import { words } from './words.js';

/**
 * Mail hosts of throw-away services; each name covers its subdomains. Their domains come and go by the hundred, the
 * hosts stay. Typo suggestions leave these names alone too.
 */
export const DISPOSABLE_MAIL_HOSTS: readonly string[] = words(`
  10minutemail.com 1secmail.com 20minutemail.com anonbox.net discard.email dispostable.com dropmail.me email-fake.com
  emailfake.com emailondeck.com fakeinbox.com fakemail.net fakemailgenerator.com generator.email getnada.com grr.la
  guerrillamail.com harakirimail.com inboxkitten.com incognitomail.org jetable.org linshiyou.com mail.gw mail.tm
  mailcatch.com maildrop.cc mailforspam.com mailinator.com mailnesia.com mailnull.com mailpoof.com moakt.com
  mohmal.com muellmail.com mytemp.email sharklasers.com spam4.me spambog.com temp-mail.io temp-mail.org tempail.com
  tempinbox.com tempm.com tempmail.plus tempmailo.com tempr.email throwawaymail.com tmailor.com trash-mail.com
  trashmail.com trashmail.ws wabblywabble.com wallywatts.com yopmail.com
`);

/** Addresses as people type them: most are valid, some are not. */
export const ADDRESSES: readonly string[] = [
  'ada@company.example',
  'ada.lovelace@mail.company.example',
  'Grace.Hopper+newsletter@gmail.com',
  'alan_turing-1912@outlook.com',
  'info@company.example',
  ' edsger@example.org ',
  'barbara@bücher.example',
  '"john doe"@example.net',
  'katherine.johnson@mailinator.com',
  'margaret@gmial.com',
  'd.knuth@cs.university.example',
  'radia@sub.domain.of.a.rather.long.name.example.co.uk',
  'no-at-sign.example.com',
  'two..dots@example.com',
  'linus@localhost',
  'x1y2z3@yahoo.co.uk',
];

/** Domains of all kinds: popular, mistyped, disposable, private. */
export const DOMAINS: readonly string[] = [
  'gmail.com',
  'company.example',
  'mail.company.example',
  'gmial.com',
  'hotnail.com',
  'yahoo.co.uk',
  'mailinator.com',
  'outlook.con',
  'example.org',
  'a-small-business.co.uk',
  'university.edu',
  'privaterelay.appleid.com',
  'guerrillamail.com',
  'web.de',
  'some-start-up.io',
  'gmx.net',
];

/** Popular domains, as suggestion libraries list them. */
export const POPULAR_DOMAINS: readonly string[] =
  'gmail.com yahoo.com hotmail.com outlook.com icloud.com aol.com live.com msn.com me.com mac.com gmx.com gmx.de web.de mail.ru yandex.ru proton.me protonmail.com zoho.com comcast.net verizon.net att.net sbcglobal.net cox.net orange.fr free.fr wanadoo.fr libero.it t-online.de yahoo.co.uk hotmail.co.uk btinternet.com googlemail.com'.split(
    ' ',
  );

/** Refusals and deferrals in the words of many hosts. */
export const REPLIES: readonly string[] = [
  '550 5.1.1 <ada@company.example>: Recipient address rejected: User unknown in virtual alias table',
  '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ada@company.example not found by SMTP address lookup',
  '550 Requested action not taken: mailbox unavailable',
  '552 5.2.2 The email account that you tried to reach is over quota.',
  '550 5.2.1 The email account that you tried to reach is disabled.',
  '550 5.7.1 Service unavailable; client host [192.0.2.7] blocked using zen.example.org',
  '554 5.7.1 <verify.example.org[192.0.2.7]>: Client host rejected: cannot find your reverse hostname',
  '450 4.2.0 <ada@company.example>: Recipient address rejected: Greylisted, try again in 5 minutes',
  '451 4.3.0 Temporary lookup failure',
  '554 5.7.1 <ada@company.example>: Relay access denied',
  '550 Benutzer unbekannt',
  '550 Нет такого пользователя',
  '421 4.7.28 Our system has detected an unusual rate of mail from 192.0.2.7',
  '550 5.4.1 Recipient address rejected: Access denied. AS(201806281)',
  '553 sorry, that domain is not in my list of allowed rcpthosts (#5.7.1)',
  '250 2.1.5 Ok',
];

import { words } from '../../../engine/signals/data/words.js';

/**
 * DKIM selectors of mail systems, from their set-up instructions and signed mail. Many selectors cannot be guessed,
 * because they contain a date, an account number or a hash (Amazon SES, SparkPost, HubSpot, OVHcloud, newer Postmark
 * and Mimecast keys).
 */

/** By id of the provider table: the mail host's provider often signs the domain's mail as well. */
export const PROVIDER_SELECTORS: Readonly<Record<string, readonly string[]>> = {
  google: ['google', '20230601'],
  microsoft365: ['selector1', 'selector2'],
  'outlook-consumer': ['selector1'],
  yahoo: ['s2048', 's1024'],
  icloud: ['sig1'],
  proton: ['protonmail', 'protonmail2', 'protonmail3'],
  fastmail: ['fm1', 'fm2', 'fm3'],
  zoho: ['zoho', 'zmail'],
  yandex: ['mail'],
  mailru: ['mailru'],
  tencent: ['s201512'],
  netease: ['s110527'],
  ionos: ['s1-ionos', 's2-ionos', 's42582890'],
  strato: ['strato-dkim-0002', 'strato-dkim-0003'],
  hostinger: ['hostingermail-a', 'hostingermail-b', 'hostingermail-c'],
  titan: ['titan1'],
  gandi: ['gm1', 'gm2', 'gm3'],
  migadu: ['key1', 'key2', 'key3'],
  namecheap: ['default'],
  'one-com': ['rsa1', 'rsa2'],
  mxroute: ['x'],
  intermedia: ['x'],
  tucows: ['x'],
  cloudflare: ['cf2024-1'],
  improvmx: ['dkimprovmx1', 'dkimprovmx2'],
  simplelogin: ['dkim', 'dkim02', 'dkim03'],
  mimecast: ['mimecast20190104'],
  proofpoint: ['pp1'],
  sendgrid: ['s1', 's2', 'smtpapi'],
  mailgun: ['mailo', 'pic', 'mg', 'k1'],
  postmark: ['pm'],
  mandrill: ['mte1', 'mte2', 'mandrill'],
};

/** Defaults of mail servers and control panels. */
export const GENERAL_SELECTORS: readonly string[] = words(`
  default dkim mail selector1 selector2 s1 s2 k1 google dkim1 dkim2 key1 key2 selector email smtp mx x dk 200608
  dkim-shared
`);

/** Services that send mail for domains with mailboxes elsewhere: newsletters, shops, help desks. */
export const SENDER_SELECTORS: readonly string[] = [
  'k2', // Mailchimp
  'k3',
  'brevo1', // Brevo, formerly Sendinblue
  'brevo2',
  'sib',
  'mailjet',
  'resend',
  'zendesk1', // Zendesk
  'zendesk2',
  'hs1', // HubSpot; newer ones hold the account's number
  'hs2',
  'ctct1', // Constant Contact
  'ctct2',
  'cm', // Campaign Monitor
  'litesrv', // MailerLite
  'ml',
  'acdkim1', // ActiveCampaign
  'intuit',
  'shopify',
  'krs',
  'turbo-smtp',
  'everlytickey1', // Everlytic
  'everlytickey2',
  'mxvault',
  'scph0223', // SparkPost of one month
  'mbo0001', // mailbox.org
  'mbo0002',
  'mbo0003',
  'mbo0004',
];

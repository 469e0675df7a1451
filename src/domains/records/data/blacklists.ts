/** Answers, as addresses of 127.0.0.0/8: `127.0.0.2`, `127.0.0.2-127.0.0.9`, or `&0xd8`: the last octet has one of these bits. */
export type AnswerRule = string;

/** A public DNS blacklist whose answers are more specific than in RFC 5782. */
export interface BlacklistRow {
  /** Includes names below it: paid feeds put the customer's key in front. */
  readonly zone: string;
  readonly name: string;
  readonly lists: 'ip' | 'domain';
  /** Answers that mean abusive mail. All others mean something else: policy, age, praise. */
  readonly listed: readonly AnswerRule[];
  /** Answers that mean a refused query, besides 127.255.255.0/24. */
  readonly errors?: readonly AnswerRule[];
  /** A name that is always listed; RFC 5782 5 defines the address 127.0.0.2 or the name `test`. */
  readonly testPoint?: string;
  /** Shut down for good: answers there no longer come from the list. */
  readonly closed?: true;
}

/**
 * Answers by list, as documented by their operators. `listed` deliberately leaves out: end-user address ranges (PBL),
 * hacked legitimate sites, grey lists of bulk senders, and domains that are merely new.
 */
export const BLACKLISTS: readonly BlacklistRow[] = [
  // 2 SBL, 3 CSS, 4-7 XBL, 9 DROP; 10 and 11 are PBL.
  { zone: 'zen.spamhaus.org', name: 'Spamhaus ZEN', lists: 'ip', listed: ['127.0.0.2-127.0.0.9'] },
  { zone: 'zen.dq.spamhaus.net', name: 'Spamhaus ZEN', lists: 'ip', listed: ['127.0.0.2-127.0.0.9'] },
  { zone: 'sbl.spamhaus.org', name: 'Spamhaus SBL', lists: 'ip', listed: ['127.0.0.2-127.0.0.9'] },
  { zone: 'sbl.dq.spamhaus.net', name: 'Spamhaus SBL', lists: 'ip', listed: ['127.0.0.2-127.0.0.9'] },
  { zone: 'xbl.spamhaus.org', name: 'Spamhaus XBL', lists: 'ip', listed: ['127.0.0.4-127.0.0.7'] },
  { zone: 'xbl.dq.spamhaus.net', name: 'Spamhaus XBL', lists: 'ip', listed: ['127.0.0.4-127.0.0.7'] },
  // 2 spam, 4 phishing, 5 malware, 6 botnet; from 102 on: sites broken into. 255: asked for an address.
  {
    zone: 'dbl.spamhaus.org',
    name: 'Spamhaus DBL',
    lists: 'domain',
    listed: ['127.0.1.2-127.0.1.99'],
    errors: ['127.0.1.255'],
    testPoint: 'dbltest.com',
  },
  {
    zone: 'dbl.dq.spamhaus.net',
    name: 'Spamhaus DBL',
    lists: 'domain',
    listed: ['127.0.1.2-127.0.1.99'],
    errors: ['127.0.1.255'],
    testPoint: 'dbltest.com',
  },
  // Hours since a domain was first seen.
  { zone: 'zrd.dq.spamhaus.net', name: 'Spamhaus ZRD', lists: 'domain', listed: [], errors: ['127.0.2.255'] },
  // 8 phishing, 16 malware, 64 abuse, 128 sites broken into.
  {
    zone: 'multi.surbl.org',
    name: 'SURBL',
    lists: 'domain',
    listed: ['&0x58'],
    errors: ['127.0.0.1'],
    testPoint: 'surbl-org-permanent-test-point.com',
  },
  // 2 black, 4 grey, 8 red.
  {
    zone: 'multi.uribl.com',
    name: 'URIBL',
    lists: 'domain',
    listed: ['&0x02'],
    errors: ['127.0.0.1'],
    testPoint: 'test.uribl.com',
  },
  {
    zone: 'black.uribl.com',
    name: 'URIBL black',
    lists: 'domain',
    listed: ['&0x02'],
    errors: ['127.0.0.1'],
    testPoint: 'test.uribl.com',
  },
  { zone: 'uribl.spameatingmonkey.net', name: 'SEM URI', lists: 'domain', listed: ['&0x02'] },
  { zone: 'fresh15.spameatingmonkey.net', name: 'SEM FRESH15', lists: 'domain', listed: [] },
  { zone: 'bl.spameatingmonkey.net', name: 'SEM BLACK', lists: 'ip', listed: ['127.0.0.2'] },
  { zone: 'bl.spamcop.net', name: 'SpamCop', lists: 'ip', listed: ['127.0.0.2'] },
  { zone: 'b.barracudacentral.org', name: 'Barracuda', lists: 'ip', listed: ['127.0.0.2'] },
  { zone: 'bl.blocklist.de', name: 'blocklist.de', lists: 'ip', listed: ['127.0.0.2-127.0.0.21'] },
  { zone: 'bl.score.senderscore.com', name: 'Validity', lists: 'ip', listed: ['127.0.0.2'] },
  // 10 worst, 11 very bad, 12 bad; from 13 on neutral to excellent.
  { zone: 'rep.mailspike.net', name: 'Mailspike reputation', lists: 'ip', listed: ['127.0.0.10-127.0.0.12'] },
  // A list of good senders: an answer is praise.
  { zone: 'list.dnswl.org', name: 'DNSWL', lists: 'ip', listed: [], errors: ['127.0.0.255'] },
  // 1 white, 2 black, 3 yellow, 4 brown, 5 not black.
  { zone: 'hostkarma.junkemailfilter.com', name: 'Hostkarma', lists: 'ip', listed: ['127.0.0.2'] },
  { zone: 'dnsbl.sorbs.net', name: 'SORBS', lists: 'ip', listed: [], closed: true },
  { zone: 'ix.dnsbl.manitu.net', name: 'NiX Spam', lists: 'ip', listed: [], closed: true },
];

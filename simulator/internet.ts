import type { Behaviour } from './world.js';

/** Addresses whose mail hosts are alike. */
export interface HostClass {
  readonly name: string;
  /** Of all addresses that are probed. */
  readonly share: number;
  /** The mail host of all its domains, by which the provider table knows it; null: each domain has one of its own. */
  readonly host: string | null;
  /** Domains of a job among which its addresses are; `perDomain` addresses on each where the number grows with the job. */
  readonly domains: number | { readonly perDomain: number };
}

/** How often hosts outside the provider table do something odd. */
export interface Oddity {
  readonly what: string;
  readonly share: number;
  readonly behaviour: Partial<Behaviour>;
}

export interface Internet {
  readonly classes: readonly HostClass[];
  readonly oddities: readonly Oddity[];
  readonly roundTripMs: number;
  /** Share of addresses that exist. */
  readonly existing: number;
}

/** Where the numbers below come from: what a person who has a list of their own replaces. */
export const SOURCES: readonly string[] = [
  'Shares of providers are an assumption, between lists of consumers (2.3 million addresses, mostly of the United States: Google 39 %, Microsoft 35 %, Yahoo 18 %; D. Lange, "Google GMail continues to own the email market") and domains of companies (popular domains: Google 28.5 %, Microsoft 10.8 %; E. Liu et al., "Who\'s Got Your Mail?", IMC 2021).',
  'A host that greylists names 300 seconds, the default of Postgrey; one that hangs up does so after 20 errors, the default of Postfix. A twentieth of hosts refuses in vague words, as labelled real replies do ([bench/README.md](../bench/README.md)).',
  'Assumptions: a round trip takes 100 ms, four of five addresses exist, and of a hundred hosts outside the table 5 greylist, 2 do not answer, 3 refuse us and 30 hang up after errors.',
];

/** A list of the whole internet's addresses, as far as the product probes them. */
export function defaultInternet(connectTimeoutMs: number): Internet {
  return {
    classes: [
      { name: 'Gmail', share: 0.24, host: 'gmail-smtp-in.l.google.com', domains: 1 },
      { name: 'Google Workspace', share: 0.06, host: 'aspmx.l.google.com', domains: { perDomain: 1.3 } },
      { name: 'Outlook.com', share: 0.11, host: 'outlook-com.olc.protection.outlook.com', domains: 4 },
      { name: 'Microsoft 365', share: 0.11, host: 'customer.mail.protection.outlook.com', domains: { perDomain: 1.3 } },
      { name: 'Yahoo and AOL', share: 0.09, host: 'mta5.am0.yahoodns.net', domains: 5 },
      { name: 'iCloud', share: 0.03, host: 'mx01.mail.icloud.com', domains: 3 },
      { name: 'GMX and WEB.DE', share: 0.02, host: 'mx00.gmx.net', domains: 4 },
      { name: 'Mail.ru', share: 0.02, host: 'mxs.mail.ru', domains: 4 },
      { name: 'Yandex', share: 0.01, host: 'mx.yandex.ru', domains: 2 },
      { name: 'QQ', share: 0.02, host: 'mx3.qq.com', domains: 1 },
      { name: 'NetEase', share: 0.01, host: '163mx01.mxmail.netease.com', domains: 2 },
      { name: 'Comcast', share: 0.01, host: 'mx1h1.comcast.net', domains: 1 },
      { name: 'Proofpoint', share: 0.02, host: 'mxa-1.gslb.pphosted.com', domains: { perDomain: 1.3 } },
      { name: 'Mimecast', share: 0.02, host: 'eu-smtp-inbound-1.mimecast.com', domains: { perDomain: 1.3 } },
      { name: 'Barracuda', share: 0.01, host: 'd1.ess.barracudanetworks.com', domains: { perDomain: 1.3 } },
      { name: 'GoDaddy', share: 0.03, host: 'smtp.secureserver.net', domains: { perDomain: 1.1 } },
      { name: 'IONOS', share: 0.02, host: 'mx00.ionos.com', domains: { perDomain: 1.1 } },
      { name: 'OVHcloud', share: 0.02, host: 'mx1.mail.ovh.net', domains: { perDomain: 1.1 } },
      { name: 'hosts outside the table', share: 0.15, host: null, domains: { perDomain: 1.3 } },
    ],
    oddities: [
      { what: 'greylist', share: 0.05, behaviour: { greylists: { namedSeconds: 300 } } },
      { what: 'do not answer', share: 0.02, behaviour: { unreachableAfterMs: connectTimeoutMs } },
      { what: 'refuse us', share: 0.03, behaviour: { refusesUs: true } },
      { what: 'refuse in vague words', share: 0.05, behaviour: { refusesVaguely: true } },
      { what: 'hang up after 20 errors', share: 0.3, behaviour: { hangsUpAfterErrors: 20 } },
    ],
    roundTripMs: 100,
    existing: 0.8,
  };
}

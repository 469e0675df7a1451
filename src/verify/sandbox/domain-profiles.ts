import type { DomainType } from '../../domains/classify/classify-domain.js';
import type { DomainFacts } from '../../domains/domain-facts.js';

/** A domain as a crawl would have found it; its names come from the address. */
export interface DomainProfile {
  readonly types: readonly DomainType[] | null;
  readonly parked: boolean | null;
  readonly facts: Omit<DomainFacts, 'domain' | 'mailHosts' | 'nameServers' | 'addresses' | 'nullMx'>;
}

/** With SPF and a DMARC record of policy `none`: `valid` scores 0.95 with it. */
const ordinary: DomainProfile = {
  types: ['company'],
  parked: false,
  facts: {
    mx: true,
    spf: true,
    dkim: false,
    dmarc: true,
    dmarcPolicy: 'none',
    mtaSts: false,
    tlsRpt: false,
    bimi: false,
    mailHostListed: false,
    dane: false,
    blacklists: 0,
    dnssec: 'insecure',
    caa: false,
  },
};

const better: DomainProfile = {
  ...ordinary,
  facts: { ...ordinary.facts, dkim: true, dmarcPolicy: 'quarantine', bimi: true, caa: true },
};
const best: DomainProfile = {
  ...ordinary,
  facts: {
    ...better.facts,
    dmarcPolicy: 'reject',
    mtaSts: true,
    tlsRpt: true,
    dane: true,
    dnssec: 'secure',
  },
};
const bare: DomainProfile = {
  ...ordinary,
  types: ['custom'],
  facts: { ...ordinary.facts, spf: false, dmarc: false, dmarcPolicy: null },
};
const disreputable: DomainProfile = {
  ...bare,
  facts: { ...bare.facts, spf: true, mailHostListed: true, blacklists: 2, dnssec: 'bogus' },
};
/** A domain with some questions still unanswered. */
const halfKnown: DomainProfile = {
  types: null,
  parked: null,
  facts: {
    ...ordinary.facts,
    spf: null,
    dkim: null,
    mtaSts: null,
    bimi: null,
    mailHostListed: null,
    dane: null,
    blacklists: null,
    dnssec: null,
    caa: null,
  },
};

export const DOMAIN_PROFILES = {
  ordinary,
  better,
  best,
  bare,
  disreputable,
  halfKnown,
  school: { ...better, types: ['education'] },
  agency: { ...best, types: ['government'] },
  accessProvider: { ...better, types: ['isp', 'public'] },
  freemail: { ...best, types: ['freemail', 'public'] },
  disposable: { ...bare, types: ['disposable', 'public'] },
  parked: { ...bare, parked: true },
  /** Makes a suspected spam trap. */
  parkedAndListed: { ...disreputable, parked: true },
  /** Without a mail host. */
  withoutMail: { ...bare, types: null, facts: { ...bare.facts, mx: false, dkim: null, dane: null, blacklists: null } },
} as const satisfies Readonly<Record<string, DomainProfile>>;

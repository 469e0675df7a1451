import { getDomain } from 'tldts';
import { bimiFact, bimiNames } from '../../records/bimi-record.js';
import { dmarcFacts, nextDmarcStep, type DmarcLookUp } from '../../records/dmarc-walk.js';
import { spfFact } from '../../records/spf-record.js';
import { tlsRptFact } from '../../records/tls-rpt-record.js';
import type { Inquirer } from '../subject.js';

export const spf: Inquirer<'spf'> = async ({ domain, questions }) => {
  return { spf: spfFact(await questions.texts(domain)) };
};

export const tlsRpt: Inquirer<'tls_rpt'> = async ({ domain, questions }) => {
  return { tlsRpt: tlsRptFact(await questions.texts(`_smtp._tls.${domain}`)) };
};

export const bimi: Inquirer<'bimi'> = async ({ domain, questions }) => {
  const names = bimiNames(domain, registrableDomain(domain));
  return { bimi: bimiFact(await Promise.all(names.map((name) => questions.texts(name)))) };
};

/** Walks up the tree, one query at a time (RFC 9989 4.10). */
export const dmarc: Inquirer<'dmarc'> = async ({ domain, questions }) => {
  const exists = (await questions.ask(domain, 'MX')).kind !== 'nxdomain';
  const lookUps: DmarcLookUp[] = [];
  for (;;) {
    const step = nextDmarcStep(domain, lookUps, exists);
    if (step.kind !== 'ask') return dmarcFacts(step);
    lookUps.push({ domain: step.domain, texts: await questions.texts(step.name) });
  }
};

/** The domain's organisational domain, right below a public suffix; the domain itself if there is none. */
export function registrableDomain(domain: string): string {
  return getDomain(domain, { validateHostname: false }) ?? domain;
}

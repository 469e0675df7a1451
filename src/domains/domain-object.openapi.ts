import { closedObject, count, flag, nullable, oneOf, text, type Schema } from '../platform/openapi/json-schema.js';
import { DOMAIN_TYPES } from './classify/classify-domain.js';
import type { DomainObject } from './domain-object.js';

const known = (description: string): Schema => nullable(flag(description));

const FIELDS = {
  name: text('The domain behind the address.'),
  types: {
    type: ['array', 'null'],
    items: oneOf(DOMAIN_TYPES, 'What kind of domain it is.'),
    minItems: 1,
    uniqueItems: true,
    description: 'What it is; null when it is not classified.',
  },
  score: nullable(count('Reputation, higher is better; null when it is not scored yet.', { maximum: 100 })),
  spf: known('There is an SPF record.'),
  dkim: known('A DKIM key stands at one of the common selectors; false proves nothing.'),
  dmarc: known('There is a DMARC record.'),
  dmarc_policy: nullable(oneOf(['none', 'quarantine', 'reject'], 'The DMARC policy that applies.')),
  mta_sts: known('There is an MTA-STS policy.'),
  tls_rpt: known('There is a TLS-RPT record.'),
  bimi: known('There is a BIMI record.'),
  dane: known('The mail hosts have DANE/TLSA records.'),
  blacklists: nullable(count('DNS blacklists that list its mail hosts or itself.')),
  dnssec: nullable(oneOf(['secure', 'insecure', 'bogus'], 'What DNSSEC validation says.')),
  caa: known('A CAA record says who may issue certificates.'),
  blocked: flag('On the blocklist: treat its addresses as unsafe.'),
  blocked_label: nullable(text('Why, for the public.')),
} satisfies Record<keyof DomainObject, Schema>;

/** The domain object of the contract. */
export const DOMAIN_SCHEMA = closedObject('What is known of a domain.', FIELDS);

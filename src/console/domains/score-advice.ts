import type { ScorePart } from '../../domains/domain-score.js';

/** What raises each part of a domain's score. */
export const SCORE_ADVICE: Readonly<Record<ScorePart['fact'], string>> = {
  mx: 'Publish an MX record that names a mail host with a public address.',
  spf: 'Publish an SPF record that names the hosts which send for the domain.',
  dmarc: 'Publish a DMARC record.',
  dmarcPolicy: 'Raise the DMARC policy to `reject`; `quarantine` gives two thirds of the points.',
  dkim: 'Sign mail with DKIM. Keys at unusual selectors cannot be found, so their absence costs nothing.',
  dnssec: 'Sign the zone with DNSSEC.',
  mtaSts: 'Publish an MTA-STS policy.',
  dane: 'Publish TLSA records for the mail hosts, in a zone signed with DNSSEC.',
  blacklists: 'Have the domain and its mail hosts taken off DNS blacklists. Each costs ten points more.',
  tlsRpt: 'Publish a TLS-RPT record, to get reports about failed deliveries.',
  caa: 'Publish a CAA record that says who may issue certificates.',
};

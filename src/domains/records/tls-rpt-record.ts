import { onlyText, type Texts } from './texts.js';
import { readVersionFields } from './version-fields.js';

const VERSION = /^v=TLSRPTv1[ \t]*;/;
/** White space is allowed around the commas of the address list. */
const VALUE = /^[\x21-\x3a\x3c-\x7e][\t\x20-\x3a\x3c-\x7e]*$/;
/** RFC 8460 3: reports go by mail or HTTPS. Commas, semicolons and exclamation marks inside an address are encoded. */
const REPORT_URI = /^(?:mailto:[^\s,!;@/]+@[^\s,!;@/]+|https:\/\/[^\s,!;/]+(?:\/[^\s,!;]*)?)$/i;

/**
 * The report addresses in the texts at `_smtp._tls.<domain>` (RFC 8460 3). null if there is no record of the version,
 * several, or a syntax error. RFC 8460 does not say which of two `rua` fields counts: such a record is invalid.
 */
export function readTlsReportAddresses(texts: readonly string[]): readonly string[] | null {
  const record = onlyText(texts, (text) => VERSION.test(text));
  const fields = record === null ? null : readVersionFields(record, VALUE);
  const [first, another] = fields?.filter(([name]) => name === 'rua') ?? [];
  if (first === undefined || another !== undefined) return null;
  const addresses = first[1].split(',').map((uri) => uri.trim());
  return addresses.every((uri) => REPORT_URI.test(uri)) ? addresses : null;
}

/** `tls_rpt` of the domain object; null if the look-up failed. */
export function tlsRptFact(texts: Texts): boolean | null {
  return texts === null ? null : readTlsReportAddresses(texts) !== null;
}

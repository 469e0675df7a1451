import { onlyText, type Texts } from './texts.js';
import { readVersionFields } from './version-fields.js';

const VERSION = /^v=TLSRPTv1[ \t]*;/;
/** White space may stand around the commas of a list of addresses. */
const VALUE = /^[\x21-\x3a\x3c-\x7e][\t\x20-\x3a\x3c-\x7e]*$/;
/** RFC 8460 3: reports go by mail or HTTPS. Commas, semicolons and exclamation marks inside an address are encoded. */
const REPORT_URI = /^(?:mailto:[^\s,!;@/]+@[^\s,!;@/]+|https:\/\/[^\s,!;/]+(?:\/[^\s,!;]*)?)$/i;

/**
 * Where the texts at `_smtp._tls.<domain>` ask for TLS reports to be sent (RFC 8460 3). null when they ask for none: no
 * record of the version or several, or one that breaks the syntax. RFC 8460 does not say which of two `rua` counts; such
 * a record counts as broken.
 */
export function readTlsReportAddresses(texts: readonly string[]): readonly string[] | null {
  const record = onlyText(texts, (text) => VERSION.test(text));
  const fields = record === null ? null : readVersionFields(record, VALUE);
  const [first, another] = fields?.filter(([name]) => name === 'rua') ?? [];
  if (first === undefined || another !== undefined) return null;
  const addresses = first[1].split(',').map((uri) => uri.trim());
  return addresses.every((uri) => REPORT_URI.test(uri)) ? addresses : null;
}

/** `tls_rpt` of the domain object; null when the look-up failed. */
export function tlsRptFact(texts: Texts): boolean | null {
  return texts === null ? null : readTlsReportAddresses(texts) !== null;
}

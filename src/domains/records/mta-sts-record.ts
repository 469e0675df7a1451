import { onlyText, type Texts } from './texts.js';
import { readVersionFields } from './version-fields.js';

/** RFC 8461 3.1. The grammar allows white space before the semicolon, so this does too. */
const VERSION = /^v=STSv1[ \t]*;/;
const VALUE = /^[\x21-\x3a\x3c\x3e-\x7e]+$/;
const ID = /^[A-Za-z0-9]{1,32}$/;

/**
 * The `id` of the policy announced by the texts at `_mta-sts.<domain>` (RFC 8461 3.1). null if there is no record of
 * the version, several, or a syntax error. If a field is repeated, the first counts (RFC 8461 3.2).
 */
export function readMtaStsId(texts: readonly string[]): string | null {
  const record = onlyText(texts, (text) => VERSION.test(text));
  const fields = record === null ? null : readVersionFields(record, VALUE);
  const [, id = ''] = fields?.find(([name]) => name === 'id') ?? [];
  return ID.test(id) ? id : null;
}

/** Whether there is a policy to fetch; null if the look-up failed. */
export function announcesMtaSts(texts: Texts): boolean | null {
  return texts === null ? null : readMtaStsId(texts) !== null;
}

/** URL of a domain's policy (RFC 8461 3.3). Redirects are not followed. */
export function mtaStsPolicyUrl(domain: string): string {
  return `https://mta-sts.${domain}/.well-known/mta-sts.txt`;
}

import { canBeHost } from '../../engine/dns/mail-exchanges.js';

export type MtaStsMode = (typeof MODES)[number];

/** Maximum length of a policy file (RFC 8461 3.3). */
export const MAX_POLICY_OCTETS = 65_536;
const MAX_AGE_SECONDS = 31_557_600;
const MODES = ['enforce', 'testing', 'none'] as const;
const LINE = /^([A-Za-z0-9][A-Za-z0-9_.-]{0,31}):[ \t]*(\S|\S.*\S)[ \t]*$/;

/**
 * The mode of a policy file (RFC 8461 3.2). null if invalid: a required key is missing or wrong, or a line is not `key:
 * value`. Unknown keys are ignored; if a key other than `mx` is repeated, the first counts. Lines end in LF or CR LF.
 * Empty lines at the end, which editors leave, are accepted although the grammar has none.
 */
export function parseMtaStsPolicy(text: string): MtaStsMode | null {
  if (Buffer.byteLength(text) > MAX_POLICY_OCTETS) return null;
  const values = new Map<string, string>();
  const mx: string[] = [];
  const lines = text.split(/\r?\n/);
  while (lines.at(-1) === '') lines.pop();
  for (const line of lines) {
    const [, key, value] = LINE.exec(line) ?? [];
    if (key === undefined || value === undefined) return null;
    if (key === 'mx') mx.push(value.toLowerCase());
    else if (!values.has(key)) values.set(key, value);
  }
  const mode = MODES.find((known) => known === values.get('mode'));
  const maxAge = values.get('max_age') ?? '';
  if (values.get('version') !== 'STSv1' || mode === undefined || !/^\d{1,10}$/.test(maxAge)) return null;
  if (Number(maxAge) > MAX_AGE_SECONDS || !mx.every((pattern) => isPattern(pattern))) return null;
  return mode !== 'none' && mx.length === 0 ? null : mode;
}

/** RFC 8461 3.2: senders check that the file is served as plain text, with any charset. */
export function isPolicyMediaType(contentType: string | null | undefined): boolean {
  return /^text\/plain[ \t]*(?:;|$)/i.test(contentType?.trim() ?? '');
}

/**
 * `mta_sts` of the domain object (decisions 8.2): a policy is announced and its file is valid. Mode `none` withdraws a
 * policy: senders act as if there were none (RFC 8461 5).
 *
 * @param announced result of `announcesMtaSts`
 * @param policy null: the file is missing or invalid; undefined: unknown, because the fetch failed
 */
export function mtaStsFact(announced: boolean | null, policy: MtaStsMode | null | undefined): boolean | null {
  if (announced !== true) return announced;
  return policy === undefined ? null : policy !== null && policy !== 'none';
}

function isPattern(pattern: string): boolean {
  const name = pattern.startsWith('*.') ? pattern.slice(2) : pattern;
  return canBeHost(name) && name.split('.').every((label) => /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(label));
}

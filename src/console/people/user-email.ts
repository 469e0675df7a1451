import { parsePrintableText } from '../../platform/cli/printable-text.js';

const MAX_LENGTH = 254;
/** What a browser takes for an address, with a dot in the domain, and letters of any script. */
const FORM = /^[^\s@"<>(),:;\\[\]]{1,64}@[^\s@"<>(),:;\\[\]]+\.[^\s@"<>(),:;\\[\].]+$/u;

export const USER_EMAIL_RULE = 'must be an email address';

/** The form in which a user's email is stored and looked up. */
export function normalEmail(text: string): string {
  return text.trim().normalize('NFC').toLowerCase();
}

/** A user's email in the form in which it is stored; null for text that is none, or that a terminal would run. */
export function parseUserEmail(text: string): string | null {
  const printable = parsePrintableText(text, MAX_LENGTH);
  const email = normalEmail(printable ?? '');
  return email.length <= MAX_LENGTH && FORM.test(email) ? email : null;
}

import { check } from 'recheck';

/** A pattern that takes this long to judge is one that people cannot judge either. */
const timeout = 120_000;

/**
 * Whether a regular expression takes time in proportion to the text, whatever the text.
 * @param {string} literal with its slashes and flags
 * @returns {Promise<string | null>} what is wrong; null: nothing
 */
export async function judgeRegex(literal) {
  const end = literal.lastIndexOf('/');
  const { status, complexity, attack } = await check(literal.slice(1, end), literal.slice(end + 1), { timeout });
  if (status === 'safe') return null;
  if (status === 'unknown') return 'could not be judged: write a simpler one, or a loop';
  return `${complexity.summary} time on ${attack.pattern}`;
}

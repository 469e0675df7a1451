import { check } from 'recheck';

/** Steps are limited, not seconds, and the seed is fixed: the verdict is the same on a busy machine. */
const settings = { timeout: null, attackTimeout: null, incubationTimeout: null, randomSeed: 0 };

/**
 * Whether a regular expression takes time in proportion to the text, whatever the text.
 * @param {string} literal with its slashes and flags
 * @returns {Promise<string | null>} what is wrong; null: nothing
 */
export async function judgeRegex(literal) {
  const end = literal.lastIndexOf('/');
  const { status, complexity, attack } = await check(literal.slice(1, end), literal.slice(end + 1), settings);
  if (status === 'safe') return null;
  if (status === 'unknown') return 'could not be judged: write a simpler one, or a loop';
  return `${complexity.summary} time on ${attack.pattern}`;
}

import { check } from 'recheck';

/** The limit is in steps and the seed is fixed, so that the result is the same on a busy machine. */
const settings = { timeout: null, attackTimeout: null, incubationTimeout: null, randomSeed: 0 };

/**
 * Checks whether a regular expression takes linear time for any text.
 * @param {string} literal with its slashes and flags
 * @returns {Promise<string | null>} the problem; null: none
 */
export async function judgeRegex(literal) {
  const end = literal.lastIndexOf('/');
  const { status, complexity, attack } = await check(literal.slice(1, end), literal.slice(end + 1), settings);
  if (status === 'safe') return null;
  if (status === 'unknown') return 'could not be judged: write a simpler one, or a loop';
  return `${complexity.summary} time on ${attack.pattern}`;
}

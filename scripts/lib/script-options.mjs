import { parseArgs } from 'node:util';

/**
 * The options of a script. Ends the process with one line that names the mistyped option, the nearest there is, and the usage.
 * @template {import('node:util').ParseArgsConfig['options']} T
 * @param {string[]} args
 * @param {T} options
 * @param {string} usage such as `npm run demo -- [--once]`
 * @param {{ takesWords?: boolean }} [more] whether words may stand beside the options: they are `words` of what is returned
 */
export function scriptOptions(args, options, usage, { takesWords = false } = {}) {
  try {
    const { values, positionals: words } = parseArgs({ args, options, allowPositionals: takesWords });
    return { ...values, words };
  } catch (error) {
    if (!error.code?.startsWith('ERR_PARSE_ARGS')) throw error;
    const { tokens } = parseArgs({ args, options, strict: false, tokens: true });
    const wrong = tokens.find(({ kind, name }) =>
      kind === 'positional' ? !takesWords : !Object.hasOwn(options, name),
    );
    const fault = wrong === undefined ? firstSentence(error) : unknownOption(wrong.rawName ?? wrong.value, options);
    process.stderr.write(`${fault} Usage: ${usage}\n`);
    return process.exit(1);
  }
}

function firstSentence({ message }) {
  return message.split('\n')[0].replace(/\.?$/, '.');
}

function unknownOption(typed, options) {
  const near = nearest(typed, Object.keys(options));
  return `Unknown option ${typed}.${near === null ? '' : ` Did you mean --${near}?`}`;
}

/** The option that is at most two typing slips away. */
function nearest(typed, names) {
  const word = typed.replace(/^-+/, '');
  const [best] = names.map((name) => ({ name, slips: slips(word, name) })).sort((a, b) => a.slips - b.slips);
  return best !== undefined && best.slips <= 2 ? best.name : null;
}

/** Letters put in, left out, exchanged or swapped with their neighbour (optimal string alignment). */
function slips(a, b) {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    rows[i] = [i];
    for (let j = 1; j <= b.length; j++) {
      const exchange = rows[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      rows[i][j] = Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, exchange);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) rows[i][j] = Math.min(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  }
  return rows[a.length][b.length];
}

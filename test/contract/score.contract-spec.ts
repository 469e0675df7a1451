import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SCORE_BANDS, SCORE_WEIGHTS } from '../../src/engine/verdict/score-weights.js';

describe('docs/score.md', () => {
  const text = readFileSync(resolve(__dirname, '../../docs/score.md'), 'utf8');
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()));

  it('shows the bands the code uses', () => {
    const shown = rows.filter(([, name = '']) => name in SCORE_BANDS).map((row) => row.slice(1, 5));
    const used = Object.entries(SCORE_BANDS).map(([result, band]) =>
      band === null ? [result, '-', '-', '-'] : [result, band.min, band.base, band.max].map(String),
    );
    expect(shown).toEqual(used);
  });

  it('shows the weights the code uses', () => {
    const shown = rows.filter(([, name = '']) => name in SCORE_WEIGHTS).map((row) => row.slice(1, 4));
    const used = Object.entries(SCORE_WEIGHTS).map(([fact, { good, bad }]) => [fact, String(good), String(bad)]);
    expect(shown).toEqual(used);
  });
});

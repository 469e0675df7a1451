import { GRADE_LETTERS, GRADE_POINTS } from '../../../src/console/lists/grade.js';
import { DIAGNOSIS_EXPLANATIONS, REASON_EXPLANATIONS } from '../../../src/verify/result-explanations.js';
import { code, markdownTable } from './markdown.js';

export const reasonExplanations = (): string =>
  markdownTable(
    ['`reason`', 'in words', 'what to do'],
    Object.entries(REASON_EXPLANATIONS).map(([reason, { sentence, advice }]) => [code(reason), sentence, advice]),
  );

export const diagnosisExplanations = (): string =>
  markdownTable(
    ['`smtp_diagnosis`', 'added in words'],
    Object.entries(DIAGNOSIS_EXPLANATIONS).map(([diagnosis, sentence]) => [code(diagnosis), sentence]),
  );

export const gradePoints = (): string =>
  markdownTable(
    ['verdict', 'points'],
    Object.entries(GRADE_POINTS).map(([result, points]) => [code(result), points]),
  );

export const gradeLetters = (): string =>
  `${GRADE_LETTERS.map(([letter, least]) => `${letter} from ${least} points`).join(', ')}.`;

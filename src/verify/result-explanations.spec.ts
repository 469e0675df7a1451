import { SMTP_DIAGNOSES } from '../engine/smtp/classification.js';
import { REASONS } from '../engine/verdict/result.js';
import { explainResult } from './result-explanations.js';

describe('explainResult', () => {
  it.each([null, ...REASONS])('%s: is a sentence and an advice', (reason) => {
    const { sentence, advice } = explainResult({ reason, smtp_diagnosis: null });
    for (const text of [sentence, advice]) expect(text).toMatch(/^[A-Z].*\.$/);
  });

  it.each(SMTP_DIAGNOSES)('%s: is told after the reason', (smtp_diagnosis) => {
    const { sentence } = explainResult({ reason: 'mailbox_not_found', smtp_diagnosis });
    expect(sentence).toMatch(/^The mail host says .*\. It (said|accepted|deferred|refused) .*\.$/);
  });
});

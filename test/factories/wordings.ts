import { classifyReply } from '../../src/engine/smtp/classify/classify-reply.js';
import { parseReplyLine } from '../../src/engine/smtp/reply-line.js';

const CONTEXT = {
  stage: 'rcpt',
  recipient: 'user@example.com',
  ownNames: ['probe@mailvet.example', 'mail.example.net'],
  provider: null,
} as const;

/**
 * A test for each wording.
 * @param wordings replies of one line, by the diagnosis they must give at RCPT for user@example.com
 * @param ofMailbox those about the mailbox need no witness
 */
export function itDiagnoses(wordings: Readonly<Record<string, readonly string[]>>, ofMailbox = false): void {
  const cases = Object.entries(wordings).flatMap(([diagnosis, lines]) =>
    lines.map((line) => [diagnosis, line] as const),
  );
  it.each(cases)('%s: %s', (diagnosis, line) => {
    const { code, enhanced, text } = parseReplyLine(line)!;
    const judged = classifyReply({ code, enhanced, lines: [text], mixed: false }, CONTEXT);
    expect(judged.diagnosis).toBe(diagnosis);
    if (ofMailbox && diagnosis.startsWith('mailbox_')) expect(judged.needsWitness).toBeUndefined();
  });
}

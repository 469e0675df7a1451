import { createHash } from 'node:crypto';
import { SMTP_DIAGNOSES } from '../../src/engine/smtp/classification.js';
import type { Classification } from '../../src/engine/smtp/classification.js';
import { classifyReply } from '../../src/engine/smtp/classify/classify-reply.js';
import { parseReplyLine } from '../../src/engine/smtp/reply-line.js';
import type { Reply } from '../../src/engine/smtp/reply.js';
import { jsonLines, sharedData } from '../support/shared-data.js';
import { Confusion } from './confusion.js';

interface RealReply {
  readonly id: string;
  readonly reply: string;
  readonly code: number | null;
  readonly enhanced: string | null;
  /** Null where a person could not decide; then `alt` lists what is right. */
  readonly our_diagnosis: string | null;
  readonly alt?: readonly string[];
}

/** Many come from delivery reports: on one line, continued ones included, some without their code. */
function replyOf({ reply, code, enhanced }: RealReply): Reply {
  const spaced = reply.replace(/^(\d{3})-/, '$1 ');
  const withCode = code === null ? `${enhanced?.startsWith('4') ? 450 : 550} ${spaced}` : spaced;
  const line = parseReplyLine(withCode)!;
  return { code: line.code, enhanced: line.enhanced, lines: [line.text], mixed: false };
}

const classify = (reply: Reply): Classification =>
  classifyReply(reply, { stage: 'rcpt', recipient: 'user@example.com', ownNames: [], provider: null });

/** The half that the table was tuned on; the other half was scored before it was looked at (0.938 then). */
const isTuned = ({ id }: RealReply): boolean => createHash('sha256').update(id).digest()[0]! % 2 === 0;

const data = sharedData('smtp-replies.jsonl');
const replies = data === null ? [] : jsonLines<RealReply>(data);

(data === null ? describe.skip : describe)('replies of the field', () => {
  const labelled = replies.filter((reply) => reply.our_diagnosis !== null);

  function confusionOf(half: readonly RealReply[]): Confusion {
    const confusion = new Confusion(SMTP_DIAGNOSES);
    for (const reply of half) confusion.add(reply.our_diagnosis!, String(classify(replyOf(reply)).diagnosis));
    return confusion;
  }

  it('are classified correctly, and a refusal of us never as a missing mailbox', () => {
    const all = confusionOf(labelled);
    const tuned = confusionOf(labelled.filter(isTuned)).macroF1();
    const other = confusionOf(labelled.filter((reply) => !isTuned(reply))).macroF1();
    const misses = labelled.flatMap((reply) => {
      const { diagnosis, rule } = classify(replyOf(reply));
      return diagnosis === reply.our_diagnosis
        ? []
        : [`${reply.our_diagnosis} read as ${diagnosis} (${rule}): ${reply.id}`];
    });
    const scores = `macro-F1 ${all.macroF1().toFixed(3)} (tuned half ${tuned.toFixed(3)}, other half ${other.toFixed(3)})`;
    process.stdout.write(`\n${all.toString()}\n${scores}\n${misses.join('\n')}\n`);

    expect(all.count('policy_block', 'mailbox_not_found')).toBe(0);
    expect(all.count('mailbox_not_found', 'accepted')).toBe(0);
    expect(all.macroF1()).toBeGreaterThanOrEqual(0.95);
  });

  it('that are ambiguous get one of the accepted classes, or none', () => {
    const open = replies.filter((reply) => reply.our_diagnosis === null);
    const wrong = open.filter((reply) => {
      const { diagnosis } = classify(replyOf(reply));
      return diagnosis !== null && !reply.alt?.includes(diagnosis);
    });
    process.stdout.write(`\n${open.length - wrong.length} of ${open.length} undecided replies read acceptably\n`);
    expect(wrong.length).toBeLessThanOrEqual(2);
    expect(wrong.filter((reply) => classify(replyOf(reply)).diagnosis === 'mailbox_not_found')).toEqual([]);
  });

  it('never settle a mailbox before RCPT', () => {
    for (const reply of replies) {
      const context = { stage: 'mail', recipient: null, ownNames: [], provider: null } as const;
      expect(classifyReply(replyOf(reply), context).subject).not.toBe('mailbox');
    }
  });

  it('are classified fast (prints the time)', () => {
    const all = replies.map(replyOf);
    const rounds = 60;
    for (const reply of all) classify(reply);
    const before = process.cpuUsage();
    for (let round = 0; round < rounds; round += 1) for (const reply of all) classify(reply);
    const { user, system } = process.cpuUsage(before);
    const perSecond = Math.round((rounds * all.length) / ((user + system) / 1e6));
    process.stdout.write(`\n${perSecond} replies/s of CPU time\n`);
    expect(perSecond).toBeGreaterThan(0);
  });
});

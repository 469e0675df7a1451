import fc from 'fast-check';
import type { ReplyContext } from '../classification.js';
import { SMTP_STAGES } from '../reply.js';
import type { Reply } from '../reply.js';
import { classifyReply } from './classify-reply.js';
import { MAX_RETRY_DELAY } from './retry-delay.js';
import { REPLY_PATTERNS } from './reply-patterns.js';

/** Words of the table itself, so that random texts meet its rules. */
const vocabulary = REPLY_PATTERNS.flatMap(({ phrases }) => phrases.flatMap((phrase) => phrase.split(/[ |]/)))
  .map((word) => word.replace(/\*|\.\./g, ''))
  .filter((word) => word !== '');

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc
    .array(fc.oneof(fc.constantFrom(...vocabulary), fc.string({ maxLength: 8 })), { maxLength: 40 })
    .map((w) => w.join(' ')),
);
const enhanced = fc.option(
  fc.tuple(fc.constantFrom(2, 4, 5), fc.nat(9), fc.nat(999)).map(([a, b, c]) => `${a}.${b}.${c}`),
);
const reply: fc.Arbitrary<Reply> = fc.record({
  code: fc.integer({ min: 200, max: 599 }),
  enhanced,
  lines: fc.array(text, { maxLength: 6 }),
  mixed: fc.boolean(),
});
const context: fc.Arbitrary<ReplyContext> = fc.record({
  stage: fc.constantFrom(...SMTP_STAGES),
  recipient: fc.option(fc.oneof(fc.emailAddress(), text)),
  ownNames: fc.array(fc.oneof(fc.domain(), text), { maxLength: 3 }),
  provider: fc.option(fc.constantFrom('google', 'microsoft365', 'yahoo', 'mimecast', 'other')),
});

describe('classifyReply for any reply', () => {
  it('is deterministic and consistent with the stage and the code', () => {
    fc.assert(
      fc.property(reply, context, (r, c) => {
        const judged = classifyReply(r, c);
        expect(classifyReply(r, c)).toEqual(judged);
        const delay = judged.retryAfterSeconds;
        const broken = {
          permanent: judged.permanent && (r.code < 500 || r.mixed),
          notFound: judged.class === 'mailbox_not_found' && r.code >= 300 && r.code < 500,
          accepted: judged.class === 'accepted' && r.code >= 300,
          ofMailbox: judged.subject === 'mailbox' && c.stage !== 'rcpt',
          diagnosis: /mailbox|accepted/.test(judged.diagnosis ?? '') && (c.stage !== 'rcpt' || r.mixed),
          ofUs: judged.subject === 'us' && judged.diagnosis !== 'policy_block',
          rule: !/^[a-z0-9]+([-.][a-z0-9]+)*$/.test(judged.rule),
          delay: delay !== null && !(Number.isInteger(delay) && delay >= 1 && delay <= MAX_RETRY_DELAY),
        };
        expect(Object.entries(broken).filter(([, is]) => is)).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives the same result for any echoed recipient', () => {
    const echoes = fc
      .tuple(fc.constantFrom(...vocabulary), fc.constantFrom(...vocabulary))
      .map(([local, label]) => `${local.replace(/[^a-z]/g, 'x')}@${label.replace(/[^a-z]/g, 'x')}.example`);
    fc.assert(
      fc.property(
        echoes,
        fc.constantFrom('User unknown', 'Mailbox full', 'Greylisted', 'Relaying denied', 'no'),
        (to, says) => {
          const at = (recipient: string) =>
            classifyReply(
              { code: 550, enhanced: null, lines: [`<${recipient}>: ${says}`], mixed: false },
              { stage: 'rcpt', recipient, ownNames: [], provider: null },
            );
          expect(at(to)).toEqual(at('ghost@example.com'));
        },
      ),
    );
  });

  it.each([' ', '  ', '\t', '(', '" "@a.example'])(
    'reads a reply that repeats the recipient %j many times',
    (recipient) => {
      const reading = { stage: 'rcpt', recipient, ownNames: [], provider: null } as const;
      const lines = [recipient.repeat(500), `${recipient}İ user unknown ${recipient}`];
      expect(classifyReply({ code: 550, enhanced: null, lines, mixed: false }, reading).permanent).toBe(true);
    },
  );

  /** A length at which anything worse than linear in the text that is read would take minutes. */
  const HUGE = 2_000_000;

  it.each([
    'x',
    'user ',
    'a.',
    '1:',
    'http://',
    "'",
    "x'",
    '@',
    ':@',
    'mailbox .. ',
    'retry in 1 minute ',
    '9',
    '9 ',
    '界',
    '\u0130',
    '#',
    '\0',
    '<"([{',
  ])('reads a bounded part of endless %p', (unit) => {
    const line = unit.repeat(Math.ceil(HUGE / unit.length));
    for (const lines of [[line], Array.from({ length: 256 }, () => line)]) {
      const huge = { code: 450, enhanced: null, lines, mixed: false };
      expect(
        classifyReply(huge, { stage: 'rcpt', recipient: 'a@b.example', ownNames: [], provider: null }).permanent,
      ).toBe(false);
    }
  });
});

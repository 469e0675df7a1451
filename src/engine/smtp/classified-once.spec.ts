import { classifiedOnce } from './classified-once.js';
import type { ReplyContext } from './classification.js';
import { classifyReply } from './classify/classify-reply.js';
import type { Reply } from './reply.js';

const refusal = (text: string): Reply => ({ code: 550, enhanced: '5.1.1', lines: [text], mixed: false });
const at = (recipient: string): ReplyContext => ({ stage: 'rcpt', recipient, ownNames: [], provider: null });

describe('classifiedOnce', () => {
  const classified: (string | null)[] = [];
  const classify = classifiedOnce((reply, context) => {
    classified.push(context.recipient);
    return classifyReply(reply, context);
  });
  beforeEach(() => {
    classified.length = 0;
  });

  it('classifies a reply about a recipient once, however often it is asked', () => {
    const reply = refusal('no such user');
    const first = classify(reply, at('one@example.com'));
    expect(first.class).toBe('mailbox_not_found');
    expect(classify(reply, at('one@example.com'))).toBe(first);
    expect(classified).toEqual(['one@example.com']);
  });

  it('classifies a reply to all recipients of a batch for each of them', () => {
    const reply = refusal('spam@example.com is unknown');
    for (const recipient of ['spam@example.com', 'one@example.com']) {
      expect(classify(reply, at(recipient))).toEqual(classifyReply(reply, at(recipient)));
    }
    expect(classified).toEqual(['spam@example.com', 'one@example.com']);
  });

  it('classifies two replies with the same words apart', () => {
    classify(refusal('no such user'), at('one@example.com'));
    classify(refusal('no such user'), at('one@example.com'));
    expect(classified).toHaveLength(2);
  });
});

import { classifyReply } from '../classify/classify-reply.js';
import { speaksOfSession } from './session-used-up.js';

function speaks(line: string): boolean {
  const [, code, enhanced, text = ''] = /^(\d{3}) (\d\.\d\.\d )?(.*)$/.exec(line) ?? [];
  const reply = { code: Number(code), enhanced: enhanced?.trim() ?? null, lines: [text], mixed: false };
  return speaksOfSession(reply, classifyReply(reply, { stage: 'rcpt', recipient: null, ownNames: [], provider: null }));
}

describe('speaksOfSession', () => {
  it.each([
    '452 4.5.3 Error: too many recipients',
    '452 too many recipients',
    '452 ',
    '550 5.5.3 Too many recipients',
    '421 4.7.0 Error: too many errors',
    '421 4.3.2 Service shutting down',
    '550 REJECTED - Too many failed recipients - count = 4',
    '550 Number of failed recipients exceeded.  Come back in a few hours.',
    '451 excessive unknown users',
    '550 Too many non-existent recipients',
    '421 4.7.0 too many bad rcpt attempts',
    '553 sorry, no more invalid recipients allowed',
    '450 4.2.0 only one recipient at a time please',
  ])('is true for "%s"', (line) => {
    expect(speaks(line)).toBe(true);
  });

  it.each([
    '452 4.2.2 Mailbox full',
    '452 4.3.1 Insufficient system storage',
    '550 5.1.1 User unknown',
    '451 4.7.1 Greylisted, try again in 5 minutes',
    '421 4.7.1 Greylisted, try again later',
    '550 5.7.1 Blocked',
    '550 Invalid recipients',
    '550 User unknown, too many aliases',
    '250 too many failed recipients, but this one is taken',
  ])('is false for "%s"', (line) => {
    expect(speaks(line)).toBe(false);
  });
});

import { furtherAnswer, isPositive, settle, type Answer } from './answer.js';
import type { Reply } from './reply.js';

const said = (code: number, mixed = false): { kind: 'reply'; reply: Reply } => ({
  kind: 'reply',
  reply: { code, enhanced: null, lines: [''], mixed },
});

describe('settle', () => {
  it.each([
    ['greeting', 220],
    ['ehlo', 250],
    ['starttls', 220],
    ['mail', 250],
    ['rcpt', 250],
    ['rcpt', 251],
    ['rcpt', 252],
  ] as const)('takes at %s a %i for a yes', (stage, code) => {
    expect(isPositive(settle(said(code), stage))).toBe(true);
  });

  it.each([
    ['greeting', 250],
    ['mail', 354],
    ['rcpt', 220],
    ['rcpt', 221],
  ] as const)('takes at %s a %i for a host out of step', (stage, code) => {
    expect(settle(said(code), stage)).toEqual({ kind: 'garbage', stage });
  });

  it('rejects a reply with different codes', () => {
    expect(settle(said(550, true), 'rcpt')).toEqual({ kind: 'garbage', stage: 'rcpt' });
  });

  it('keeps refusals and deferrals at any stage', () => {
    expect(settle(said(421), 'greeting')).toMatchObject({ kind: 'reply', stage: 'greeting' });
    expect(settle(said(550), 'rcpt')).toMatchObject({ kind: 'reply', stage: 'rcpt' });
  });
});

describe('furtherAnswer', () => {
  const timeout: Answer = { kind: 'timeout', stage: 'rcpt' };
  const refusedMail: Answer = { ...said(550), stage: 'mail' };

  it('prefers the later stage, then a reply to silence, then the first', () => {
    expect(furtherAnswer(refusedMail, timeout)).toBe(timeout);
    expect(furtherAnswer({ kind: 'closed', stage: 'mail' }, refusedMail)).toBe(refusedMail);
    expect(furtherAnswer(timeout, { ...timeout })).toBe(timeout);
  });
});

import type { Answer } from './answer.js';
import { findingOf } from './witness.js';

const said = (code: number, ...lines: string[]): Answer => ({
  kind: 'reply',
  stage: 'rcpt',
  reply: { code, enhanced: null, lines, mixed: false },
});
const compare = (refused: Answer, postmaster: Answer, recipient = 'ann@example.com') =>
  findingOf(
    { answer: refused, recipient, ownNames: ['verify.example.net'] },
    { answer: postmaster, recipient: 'postmaster@example.com', ownNames: ['verify.example.net'] },
  );

describe('findingOf', () => {
  it.each([
    [said(550, 'rejected'), said(550, 'Rejected.')],
    [said(550, ''), said(550)],
    [said(550, '<ann@example.com>: no'), said(550, '<postmaster@example.com>: no')],
    [said(550, 'user ann rejected'), said(550, 'user postmaster rejected')],
    [said(550, 'no, session a8f3c210-7'), said(550, 'no, session 0c77ab12-9')],
    [said(550, 'not', 'today 12:01:02'), said(550, 'not', 'today 12:01:03')],
  ])('finds the same refusal in %j and %j', (refused, postmaster) => {
    expect(compare(refused, postmaster)).toBe('postmaster_refused_alike');
  });

  it.each<[Answer, Answer]>([
    [said(550, 'rejected'), said(554, 'rejected')],
    [said(550, 'rejected'), said(550, 'relay denied')],
    [said(550, 'rejected'), said(451, 'rejected')],
    [said(550, 'rejected'), { kind: 'closed', stage: 'rcpt' }],
    [said(550, 'rejected'), { ...said(250, 'ok'), stage: 'mail' }],
  ])('concludes nothing from %j and %j', (refused, postmaster) => {
    expect(compare(refused, postmaster)).toBe('inconclusive');
  });

  it('reads any 2xx as postmaster accepted', () => {
    expect(compare(said(550, 'rejected'), said(250, 'ok'))).toBe('postmaster_accepted');
    expect(compare(said(550, 'rejected'), said(252, 'perhaps'))).toBe('postmaster_accepted');
  });
});

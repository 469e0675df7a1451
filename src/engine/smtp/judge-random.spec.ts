import type { Answer } from './answer.js';
import type { Classification } from './classification.js';
import { judgeRandom, wasSessionUsedUp } from './judge-random.js';

const said = (code: number, enhanced: string | null = null): Answer => ({
  kind: 'reply',
  stage: 'rcpt',
  reply: { code, enhanced, lines: [''], mixed: false },
});
const as = (name: Classification['class']): Classification => ({
  class: name,
  subject: 'nobody',
  permanent: true,
  diagnosis: null,
  rule: 'test',
  retryAfterSeconds: null,
});

describe('judgeRandom', () => {
  it('reads any 2xx as accepted', () => {
    expect(judgeRandom(said(250), as('accepted'), true)).toBe('accepted');
    expect(judgeRandom(said(252), as('unattributed'), true)).toBe('accepted');
  });

  it('says refused only if the host says there is no such mailbox', () => {
    expect(judgeRandom(said(550), as('mailbox_not_found'), true)).toBe('refused');
    expect(judgeRandom(said(550), as('unattributed'), true)).toBe('refused');
    expect(judgeRandom(said(554), as('unattributed'), true)).toBe('inconclusive');
    expect(judgeRandom(said(550), as('policy'), true)).toBe('inconclusive');
    expect(judgeRandom(said(552), as('mailbox_full'), true)).toBe('inconclusive');
    expect(judgeRandom(said(451), as('greylisted'), true)).toBe('inconclusive');
    expect(judgeRandom(said(450), as('mailbox_not_found'), true)).toBe('inconclusive');
  });

  it('concludes nothing from a refusal with an unknown subject unless another recipient is accepted', () => {
    const unproven = { ...as('unattributed'), needsWitness: 'anybody' } as const;
    expect(judgeRandom(said(550), unproven, true)).toBe('refused');
    expect(judgeRandom(said(550), unproven, false)).toBe('inconclusive');
    expect(judgeRandom(said(550), as('mailbox_not_found'), false)).toBe('refused');
  });

  it('concludes nothing from silence or from another stage', () => {
    expect(judgeRandom({ kind: 'closed', stage: 'rcpt' }, null, true)).toBe('inconclusive');
    expect(judgeRandom({ ...said(550), stage: 'mail' }, as('mailbox_not_found'), true)).toBe('inconclusive');
  });
});

describe('wasSessionUsedUp', () => {
  it.each<[Answer]>([[said(421)], [said(452)], [said(550, '5.5.3')], [{ kind: 'closed', stage: 'rcpt' }]])(
    'holds for %j',
    (answer) => expect(wasSessionUsedUp(answer, null)).toBe(true),
  );

  it('is true for too many recipients', () => {
    expect(wasSessionUsedUp(said(550), as('too_many_recipients'))).toBe(true);
  });

  it.each<[Answer]>([[said(250)], [said(451)], [said(550)], [{ kind: 'timeout', stage: 'rcpt' }]])(
    'does not hold for %j',
    (answer) => expect(wasSessionUsedUp(answer, as('unattributed'))).toBe(false),
  );
});

import type { Address } from '../../address/address.js';
import type { Answer } from '../answer.js';
import { Candidate } from './candidate.js';
import { RandomProbe } from './random-probe.js';

const refused: Answer = {
  kind: 'reply',
  stage: 'rcpt',
  reply: { code: 550, enhanced: null, lines: ['no'], mixed: false },
};
const judged = {
  class: 'mailbox_not_found',
  subject: 'mailbox',
  permanent: true,
  diagnosis: 'mailbox_not_found',
  rule: 'test',
  retryAfterSeconds: null,
} as const;
const closed: Answer = { kind: 'closed', stage: 'rcpt' };
const accepted = {
  candidate: new Candidate(0, { localPart: 'real', domain: 'example.com' } as Address, []),
  received: { answer: refused, context: { ownNames: [], provider: null } },
};

describe('RandomProbe', () => {
  let random: RandomProbe;
  beforeEach(() => {
    random = new RandomProbe('example.com', 'bababu000@example.com');
  });

  it('is due until it is on its way, and again when it was not asked about', () => {
    expect(random.isDue).toBe(true);
    random.reserve();
    expect(random.isDue).toBe(false);
    random.requeue();
    expect(random.isDue).toBe(true);
  });

  it('is wanted only where an accepted recipient waits', () => {
    expect(random.isWanted).toBe(false);
    random.wait(accepted);
    expect(random.isWanted).toBe(true);
    expect(random.takeAccepted()).toEqual([]);
  });

  it('shows what it showed to all who waited, once', () => {
    random.wait(accepted);
    random.reserve();
    random.onAnswer(refused, judged);
    expect(random.result).toBe('refused');
    expect(random.takeAccepted()).toEqual([accepted]);
    expect(random.takeAccepted()).toEqual([]);
    expect([random.isDue, random.isWanted]).toEqual([false, false]);
  });

  it('is worth a second try where a session ended at it, and no third', () => {
    random.reserve();
    random.onAnswer(closed, null);
    expect([random.result, random.isDue]).toEqual([null, true]);
    random.reserve();
    random.onAnswer(closed, null);
    expect(random.result).toBe('inconclusive');
  });

  it('counts a session that got out of step as a try', () => {
    expect(random.missed()).toBe(true);
    expect(random.missed()).toBe(false);
  });

  it('is inconclusive when it is given up, and keeps what it had shown', () => {
    random.giveUp();
    expect(random.result).toBe('inconclusive');
    const other = new RandomProbe('example.com', 'bababu000@example.com');
    other.onAnswer(refused, judged);
    other.giveUp();
    expect(other.result).toBe('refused');
  });
});

import type { MailProvider } from '../provider.js';
import { HostQueue } from './host-queue.js';
import { RandomRecipients } from './random-recipients.js';

const queueOf = (name: string, provider: Partial<MailProvider> | null = null): HostQueue =>
  new HostQueue({ name, preference: 10, addresses: ['192.0.2.1'] }, provider as MailProvider | null);

const unused = (): never => {
  throw new Error('no answer comes');
};

describe('the random recipients of a run', () => {
  let made: number;
  let randoms: RandomRecipients;
  beforeEach(() => {
    made = 0;
    const tools = { randomLocalPart: () => `random-${++made}`, classify: unused };
    randoms = new RandomRecipients(tools, { judgeAccepted: unused, noteAccepted: unused, isOver: unused });
    randoms.want('a.com');
  });

  it('are asked about where they are wanted', () => {
    expect(randoms.at(queueOf('mx.example.com'), 'a.com')).toMatchObject({ domain: 'a.com', path: 'random-1@a.com' });
    expect(randoms.at(queueOf('mx.example.com'), 'a.org')).toBeNull();
    expect([randoms.isWanted('a.com'), randoms.isWanted('a.org'), made]).toEqual([true, false, 1]);
  });

  it('are one at each host, with the same path at all of them', () => {
    const [first, second] = [queueOf('mx1.example.com'), queueOf('mx2.example.com')];
    const random = randoms.at(first, 'a.com');
    expect(randoms.at(first, 'a.com')).toBe(random);
    expect(randoms.at(second, 'a.com')).not.toBe(random);
    expect(randoms.at(second, 'a.com')?.path).toBe(random?.path);
  });

  it('are not asked about at a provider whose answer means nothing', () => {
    expect(randoms.at(queueOf('mx.example.com', { name: 'any', randomProbeMeaningful: false }), 'a.com')).toBeNull();
  });
});

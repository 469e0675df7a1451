import { DEFAULT_SESSION_OPTIONS } from '../dialogue.js';
import type { MailProvider } from '../provider.js';
import { FirstBatches } from './first-batches.js';
import { HostTraits, type SessionCount } from './host-traits.js';

const at = (answered: number, errors = 0, transactions = 1): SessionCount => ({ answered, errors, transactions });
const silently = { lastWasError: false, saysErrors: false };
const atError = { lastWasError: true, saysErrors: false };

/** Batch sizes of one session in which every `nth` recipient is an error and the host accepts them all. */
function batches(traits: HostTraits, everyNth = Number.POSITIVE_INFINITY): number[] {
  const sizes: number[] = [];
  let [answered, errors] = [0, 0];
  for (let size = traits.batchSize(at(0)); size > 0; size = traits.batchSize(at(answered, errors))) {
    sizes.push(size);
    for (let one = 0; one < size; one += 1) {
      answered += 1;
      if (answered % everyNth === 0) errors += 1;
    }
    traits.answeredInTime(errors);
  }
  return sizes;
}

describe('HostTraits', () => {
  it('begins with a small batch, and takes no more than fifty of a session', () => {
    expect(batches(new HostTraits(null))).toEqual([5, 15, 20, 10]);
  });

  it('keeps to what the provider table allows', () => {
    const provider = { recipientsPerSession: 3 } as MailProvider;
    expect(batches(new HostTraits(provider))).toEqual([3]);
    expect(new HostTraits({ ...provider, recipientsPerSession: 1 }).worthAConnection).toBe(1);
  });

  it('jumps over ten errors neither where every recipient is one, nor where as many are as before', () => {
    expect(batches(new HostTraits(null), 1)).toEqual([5, 5, 3, 20, 17]);
    expect(batches(new HostTraits(null), 4)).toEqual([5, 15, 15, 7, 3, 5]);
  });

  it('takes larger batches beyond ten errors once they are borne', () => {
    const traits = new HostTraits(null);
    batches(traits, 1);
    expect(batches(traits, 1)).toEqual([20, 20, 10]);
  });

  it('begins with a batch of twenty where the list is good, and becomes as careful where the host is not', () => {
    const list = new FirstBatches();
    list.note({ answered: 1000, errors: 250 }, false);
    expect(batches(new HostTraits(null, list), 4)).toEqual([20, 15, 7, 3, 5]);
    const traits = new HostTraits(null, list);
    traits.slowedDown(10);
    expect(batches(traits, 1)).toEqual([10]);
  });

  it('takes no batch that could exceed the twenty errors at which hosts hang up', () => {
    const traits = new HostTraits(null);
    for (let batch = 0; batch < 3; batch += 1) traits.answeredInTime(0);
    for (const errors of [0, 1, 5, 9, 10]) expect(errors + traits.batchSize(at(40, errors))).toBeLessThanOrEqual(20);
  });

  describe('learns errors', () => {
    it('after which answers become slow', () => {
      const traits = new HostTraits(null);
      traits.slowedDown(10);
      expect(batches(traits, 1)).toEqual([5, 5]);
    });

    it('but not where a new session would be as slow', () => {
      const traits = new HostTraits(null);
      traits.slowedDown(2);
      expect(batches(traits)).toHaveLength(4);
    });

    it('after which the host hangs up, and leaves before', () => {
      const traits = new HostTraits(null);
      traits.hungUp(at(20, 20), atError);
      for (let round = 0; round < 5; round += 1) traits.answeredInTime(19);
      expect(batches(traits, 1)).toEqual([19]);
    });

    it('from its words, where the one too many got no answer of its own', () => {
      const traits = new HostTraits(null);
      traits.hungUp(at(9, 6), { lastWasError: false, saysErrors: true });
      expect(batches(traits, 1)).toEqual([5, 1]);
    });

    it('of which the first is the last', () => {
      const traits = new HostTraits(null);
      traits.hungUp(at(1, 1), atError);
      expect(traits.batchSize(at(0))).toBe(5);
      traits.hungUp(at(4, 1), atError);
      expect(traits.batchSize(at(0))).toBe(1);
      expect(traits.batchSize(at(3))).toBe(1);
      expect(traits.batchSize(at(3, 1))).toBe(0);
    });
  });

  it('takes a session that ends without a reason for chance once, and for a rule the second time', () => {
    const traits = new HostTraits(null);
    traits.hungUp(at(3), silently);
    traits.hungUp(at(8), silently);
    expect(traits.batchSize(at(3))).toBe(5);
    traits.hungUp(at(8), silently);
    expect(traits.batchSize(at(8))).toBe(0);
    expect(traits.batchSize(at(6))).toBe(2);
  });

  it('learns what a session and a transaction take, and never less than one', () => {
    const traits = new HostTraits(null);
    expect(traits.transactionRoom(40)).toBe(60);
    traits.limitPerTransaction(4);
    expect([traits.transactionRoom(0), traits.transactionRoom(3), traits.transactionRoom(9)]).toEqual([4, 1, 0]);
    traits.limitPerSession(0);
    traits.limitPerTransaction(0);
    expect([traits.batchSize(at(0)), traits.transactionRoom(0)]).toEqual([1, 1]);
  });

  it('learns how many transactions a session may have', () => {
    const traits = new HostTraits(null);
    expect(traits.mayBegin(40)).toBe(true);
    traits.limitTransactions(2);
    expect([traits.mayBegin(1), traits.mayBegin(2)]).toEqual([true, false]);
  });

  describe('greeted by a host that tells its make', () => {
    const greeted = (line: string, list?: FirstBatches): HostTraits => {
      const traits = new HostTraits(null, list);
      const reply = { code: 220, enhanced: null, lines: [line, 'We do not authorize bulk'], mixed: false };
      traits.greeted({ kind: 'reply', stage: 'greeting', reply });
      return traits;
    };
    const EXIM = 'mx.example.com ESMTP Exim 4.98.1 #2 Mon, 30 Nov 2026 12:00:00 +0000';

    it('leaves an Exim after four errors, and sends no batch that could have a fifth', () => {
      expect(batches(greeted(EXIM), 1)).toEqual([4]);
      expect(batches(greeted(EXIM), 4)).toEqual([4, 3, 3, 2, 1, 1, 1, 1]);
      const list = new FirstBatches();
      list.note({ answered: 1000, errors: 0 }, false);
      expect(greeted(EXIM, list).batchSize(at(0))).toBe(4);
    });

    it.each([
      ['an MDaemon', 'mx.example.com ESMTP MDaemon 23.5.2; Mon, 30 Nov 2026 12:00:00 +0000', [2]],
      ['an IceWarp', 'mx.example.com ESMTP IceWarp 14.0.0.12 RHEL8 x64; Mon, 30 Nov 2026 12:00:00 +0000', [4]],
      ['an IceWarp of old', 'mx.example.com ESMTP Merak 9.4.2; Mon, 30 Nov 2026 12:00:00 +0000', [4]],
    ])('leaves %s before the error at which it blocks', (_, greeting, sizes) => {
      expect(batches(greeted(greeting), 1)).toEqual(sizes);
    });

    it('knows no other host by its name', () => {
      expect(batches(greeted('eximious.example.com ESMTP Postfix'))).toEqual([5, 15, 20, 10]);
      const traits = new HostTraits(null);
      traits.greeted({ kind: 'timeout', stage: 'greeting' });
      expect(batches(traits)).toEqual([5, 15, 20, 10]);
    });
  });

  it('begins in the usual manner', () => {
    expect(new HostTraits(null).sessionOptions).toEqual(DEFAULT_SESSION_OPTIONS);
  });
});

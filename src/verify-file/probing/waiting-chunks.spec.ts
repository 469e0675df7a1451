import { parseAddress } from '../../engine/address/parse-address.js';
import type { Chunk } from './target.js';
import { WaitingChunks } from './waiting-chunks.js';

function chunk(): Chunk {
  const parsed = parseAddress('ada@example.com');
  if (!parsed.ok) throw new Error('no address');
  const targets = [{ entry: 0, address: parsed.address, pauses: 0 }];
  return { group: null, targets, attempt: 'first', egress: null, failures: 0 };
}

describe('waiting chunks', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['performance'] });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  it('tell again if their timer fired too early', () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(1000);
    const taken: Chunk[] = [];
    const waiting: WaitingChunks = new WaitingChunks(() => taken.push(...waiting.takeDue()));
    const later = chunk();
    waiting.add(later, 50);
    clock.mockReturnValue(1049.6);
    jest.advanceTimersByTime(50);
    expect(taken).toEqual([]);
    clock.mockReturnValue(1051);
    jest.advanceTimersByTime(1);
    expect(taken).toEqual([later]);
    expect(waiting.isEmpty).toBe(true);
  });
});

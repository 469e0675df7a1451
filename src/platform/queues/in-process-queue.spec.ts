import { InProcessQueue, type InProcessJob } from './in-process-queue.js';
import { OVER, type JobEnding } from './work-queue.js';

const work = (id: string, more: Partial<InProcessJob> = {}): InProcessJob => ({
  id,
  data: {},
  priority: 2,
  delayMs: 0,
  ...more,
});

/** Every run lasts until the test ends it. */
function setUp(places = 1) {
  const begun: string[] = [];
  const ends = new Map<string, (ending: JobEnding) => void>();
  const line = new InProcessQueue({
    concurrency: places,
    run: ({ id }) => {
      begun.push(id);
      return new Promise((resolve) => ends.set(id, resolve));
    },
  });
  const end = async (id: string, ending: JobEnding = OVER): Promise<void> => {
    ends.get(id)!(ending);
    await Promise.resolve();
    await Promise.resolve();
  };
  return { begun, line, end };
}

describe('InProcessQueue', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('runs a limited number of jobs at once, the most urgent first', async () => {
    const { begun, line, end } = setUp(2);
    line.add(work('a'));
    line.add(work('b'));
    line.add(work('c'));
    line.add(work('urgent', { priority: 1 }));
    expect(begun).toEqual(['a', 'b']);
    await end('a');
    await end('urgent');
    expect(begun).toEqual(['a', 'b', 'urgent', 'c']);
  });

  it('lets flows take turns, however many jobs each has', async () => {
    const { begun, line, end } = setUp();
    for (let i = 0; i < 5; i++) line.add(work(`many-${i}`, { priority: { flow: 'many' } }));
    for (let i = 0; i < 2; i++) line.add(work(`few-${i}`, { priority: { flow: 'few' } }));
    for (let i = 0; i < 6; i++) await end(begun.at(-1)!);
    expect(begun).toEqual(['many-0', 'many-1', 'few-0', 'many-2', 'few-1', 'many-3', 'many-4']);
  });

  it('queues each id once, with the higher priority, and no running one', async () => {
    const { begun, line, end } = setUp();
    line.add(work('a'));
    line.add(work('a'));
    line.add(work('b'));
    line.add(work('c'));
    line.add(work('c', { priority: 1 }));
    await end('a');
    await end('c');
    await end('b');
    expect(begun).toEqual(['a', 'c', 'b']);
  });

  it('runs a job again when it asks for that, and a delayed one when it is due', async () => {
    const { begun, line, end } = setUp();
    line.add(work('later', { delayMs: 1000 }));
    line.add(work('a'));
    expect(begun).toEqual(['a']);
    await end('a', { kind: 'again', afterMs: 500 });
    jest.advanceTimersByTime(500);
    expect(begun).toEqual(['a', 'a']);
    await end('a');
    jest.advanceTimersByTime(500);
    expect(begun).toEqual(['a', 'a', 'later']);
  });

  it('drops jobs that are due much later or exceed its bound', async () => {
    const { begun, line, end } = setUp();
    line.add(work('tomorrow', { delayMs: 86_400_000 }));
    for (let i = 0; i < 3000; i++) line.add(work(`${i}`));
    for (let i = 0; i < 2001; i++) await end(`${i}`);
    expect(begun).toHaveLength(2001);
    jest.advanceTimersByTime(100_000_000);
    expect(begun).toHaveLength(2001);
  });

  it('starts no job when it is closed', async () => {
    const { begun, line, end } = setUp();
    line.add(work('a'));
    line.add(work('b'));
    line.close();
    await end('a', { kind: 'again', afterMs: 0 });
    jest.advanceTimersByTime(60_000);
    expect(begun).toEqual(['a']);
  });
});

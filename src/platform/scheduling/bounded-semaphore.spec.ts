import { AppError } from '../errors/app-error.js';
import { BoundedSemaphore } from './bounded-semaphore.js';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Work that ends when it is told to, and what was begun so far. */
function workshop(semaphore: BoundedSemaphore) {
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const work = (name: string): Promise<string> =>
    semaphore.run(async () => {
      begun.push(name);
      await new Promise<void>((resolve, reject) => {
        ends.set(name, (error) => (error === undefined ? resolve() : reject(error)));
      });
      return name;
    });
  return { begun, work, end: (name: string, error?: Error) => ends.get(name)!(error) };
}

it('runs a limited number of tasks at once, in order of arrival', async () => {
  const { begun, work, end } = workshop(new BoundedSemaphore({ permits: 2, maxWaiting: 9, maxWaitMs: 1000 }));
  const all = ['a', 'b', 'c', 'd'].map((name) => work(name));
  await settled();
  expect(begun).toEqual(['a', 'b']);
  end('b');
  await settled();
  expect(begun).toEqual(['a', 'b', 'c']);
  end('a');
  await settled();
  for (const name of ['c', 'd']) end(name);
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
});

it('releases the permit of a failed task', async () => {
  const { begun, work, end } = workshop(new BoundedSemaphore({ permits: 1, maxWaiting: 9, maxWaitMs: 1000 }));
  const failing = work('a').catch((error: Error) => error.message);
  const next = work('b');
  await settled();
  end('a', new Error('of a'));
  expect(await failing).toBe('of a');
  await settled();
  expect(begun).toEqual(['a', 'b']);
  end('b');
  await next;
});

it('refuses a task that would wait too long or behind too many', async () => {
  const { begun, work, end } = workshop(new BoundedSemaphore({ permits: 1, maxWaiting: 1, maxWaitMs: 5 }));
  const inside = work('a');
  const codes = await Promise.all(
    [work('b'), work('c')].map((one) => one.catch((error: unknown) => (error as AppError).code)),
  );
  expect(codes).toEqual(['service_unavailable', 'service_unavailable']);
  end('a');
  await inside;
  const later = work('d');
  await settled();
  expect(begun).toEqual(['a', 'd']);
  end('d');
  await later;
});

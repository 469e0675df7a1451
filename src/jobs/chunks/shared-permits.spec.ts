import { SharedPermits } from './shared-permits.js';

function taker(permits: SharedPermits) {
  const taken: string[] = [];
  const take = (name: string, count: number, isBegun = false): void =>
    permits.take(count, isBegun, () => void taken.push(name));
  return { taken, take };
}

it('gives permits in order of arrival, and lets nobody overtake a caller that needs more', () => {
  const permits = new SharedPermits(3);
  const { taken, take } = taker(permits);
  take('first', 2);
  take('big', 2);
  take('small', 1);
  expect(taken).toEqual(['first']);
  permits.release(1);
  expect(taken).toEqual(['first', 'big']);
  permits.release(1);
  expect(taken).toEqual(['first', 'big', 'small']);
});

it('gives more to a caller that holds some before it gives any to others', () => {
  const permits = new SharedPermits(2);
  const { taken, take } = taker(permits);
  take('first', 2);
  take('second', 1);
  take('more', 1, true);
  permits.release(1);
  expect(taken).toEqual(['first', 'more']);
  permits.release(1);
  expect(taken).toEqual(['first', 'more', 'second']);
});

it('takes requests that are made while another is granted', () => {
  const permits = new SharedPermits(3);
  const taken: string[] = [];
  permits.take(1, false, () => {
    taken.push('one');
    permits.take(1, true, () => void taken.push('more of one'));
  });
  permits.take(1, false, () => void taken.push('two'));
  expect(taken).toEqual(['one', 'more of one', 'two']);
});

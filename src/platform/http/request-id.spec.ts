import { isId } from '../ids/uuid.js';
import { requestIdFor } from './request-id.js';

const idFor = (given: string | undefined) =>
  requestIdFor({ headers: given === undefined ? {} : { 'x-request-id': given } });

describe('requestIdFor', () => {
  it.each(['a', 'Order-17.retry_2:b', 'x'.repeat(128)])('keeps %s', (given) => {
    expect(idFor(given)).toBe(given);
  });

  it.each([undefined, '', ' ', 'a b', 'a,b', 'x'.repeat(129), 'ä', '"', 'ada@example.com', 'a\n'])(
    'replaces %j',
    (given) => {
      expect(isId(idFor(given))).toBe(true);
    },
  );
});

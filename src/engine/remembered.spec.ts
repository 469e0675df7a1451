import { remembered } from './remembered.js';

function counted(capacity: number) {
  const computed: string[] = [];
  const lengthOf = remembered((key) => {
    computed.push(key);
    return key === '' ? null : key.length;
  }, capacity);
  return { lengthOf, computed };
}

describe('remembered', () => {
  it('computes once per key, even if the result is undefined', () => {
    const { lengthOf, computed } = counted(10);
    expect(['a', 'bb', '', 'a', 'bb', '', '\ud800'].map(lengthOf)).toEqual([1, 2, null, 1, 2, null, 1]);
    expect(lengthOf('\ud800')).toBe(1);
    expect(computed).toEqual(['a', 'bb', '', '\ud800']);
  });

  it('forgets the oldest key', () => {
    const { lengthOf, computed } = counted(2);
    for (const key of ['a', 'b', 'a', 'c', 'b', 'a']) lengthOf(key);
    expect(computed).toEqual(['a', 'b', 'c', 'a']);
  });
});

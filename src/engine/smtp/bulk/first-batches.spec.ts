import { FirstBatches } from './first-batches.js';

/** A list of which so many hosts have answered, each about five recipients. */
function listWith(hosts: number, errorsEach: (host: number) => number, wasPunished = false): FirstBatches {
  const list = new FirstBatches();
  for (let host = 0; host < hosts; host += 1) list.note({ answered: 5, errors: errorsEach(host) }, wasPunished);
  return list;
}

describe('FirstBatches', () => {
  it('begins small, as if every recipient were an error', () => {
    const list = new FirstBatches();
    expect([list.size, list.errorShare]).toEqual([5, 1]);
  });

  it('is not convinced by a few hosts', () => {
    expect([4, 5].map((hosts) => listWith(hosts, () => 0).size)).toEqual([5, 20]);
    const everyFourth = (host: number): number => (host % 4 === 3 ? 2 : 1);
    expect([10, 20].map((hosts) => listWith(hosts, everyFourth).size)).toEqual([5, 20]);
  });

  it.each([
    ['a quarter', (host: number) => (host % 4 === 3 ? 2 : 1), 20],
    ['two fifths', () => 2, 5],
    ['all at two hosts of five', (host: number) => (host % 5 < 2 ? 5 : 0), 5],
    ['all', () => 5, 5],
  ])('of a list of which %s are errors', (_, errorsEach, size) => {
    expect(listWith(1000, errorsEach).size).toBe(size);
  });

  it('grows small again when the list turns bad', () => {
    const list = listWith(100, () => 0);
    for (let host = 0; host < 20; host += 1) list.note({ answered: 20, errors: 20 }, false);
    expect(list.size).toBe(5);
  });

  it('stays within ten errors once a host has punished more', () => {
    const list = listWith(100, () => 1);
    list.note({ answered: 20, errors: 9 }, true);
    expect(list.size).toBe(20);
    list.note({ answered: 20, errors: 20 }, false);
    expect(list.size).toBe(20);
    list.note({ answered: 20, errors: 20 }, true);
    expect(list.size).toBe(10);
  });
});

import { idFromBytes, idToBytes, isId, newId } from './uuid.js';

const ID = '017f22e2-79b0-7cc3-98c4-dc0c0c07398f';

describe('ids', () => {
  it('convert to 16 octets and back', () => {
    expect(idToBytes(ID).toString('hex')).toBe('017f22e279b07cc398c4dc0c0c07398f');
    expect(idFromBytes(idToBytes(ID))).toBe(ID);
  });

  it('are unique, of version 7, and sort by creation', () => {
    const ids = Array.from({ length: 1000 }, newId);
    expect(new Set(ids).size).toBe(1000);
    expect(ids.every((id) => isId(id) && id[14] === '7')).toBe(true);
    expect(ids.toSorted()).toEqual(ids);
    expect(
      ids
        .map(idToBytes)
        .toSorted((a, b) => Buffer.compare(a, b))
        .map(idFromBytes),
    ).toEqual(ids);
  });

  it.each(['', 'x', ID.slice(1), `${ID}0`, ID.toUpperCase(), ID.replaceAll('-', ''), `${ID}\n`])(
    '%j is none',
    (text) => {
      expect(isId(text)).toBe(false);
    },
  );
});

describe('ids of one process', () => {
  afterEach(() => void jest.useRealTimers());

  it('sort by creation while the clock stands still or goes back', () => {
    jest.useFakeTimers({ now: new Date('2040-01-01T00:00:00Z') });
    const before = Array.from({ length: 600 }, newId);
    jest.setSystemTime(new Date('2039-12-31T00:00:00Z'));
    const ids = [...before, ...Array.from({ length: 600 }, newId)];
    expect(new Set(ids).size).toBe(1200);
    expect(ids.toSorted()).toEqual(ids);
    expect(idToBytes(ids.at(-1)!).readUIntBE(0, 6)).toBe(Date.UTC(2040, 0, 1));
  });
});

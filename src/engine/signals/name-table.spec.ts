import { NameTable } from './name-table.js';

describe('NameTable', () => {
  it.each([
    ['a line each', 'a.example\nb-c.example.org\nx.y.z.example'],
    ['a JSON array', JSON.stringify(['a.example', 'b-c.example.org', 'x.y.z.example'], null, 2)],
    ['Windows line ends', 'a.example\r\nb-c.example.org\r\nx.y.z.example\r\n'],
  ])('holds the names of a text with %s', (_, text) => {
    const table = NameTable.of(Buffer.from(text));
    expect(['a.example', 'b-c.example.org', 'x.y.z.example'].map((name) => table.has(name))).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('does not match a part of a name or a longer name', () => {
    const table = NameTable.of(Buffer.from('abc.example, de.example.com'));
    const others = [
      'bc.example',
      'abc.exampl',
      'abc.example2',
      'abc',
      'example.com',
      'e.example.com',
      '',
      'de.example.com.',
    ];
    expect(others.filter((name) => table.has(name))).toEqual([]);
  });

  it('skips single words and whole names in U-labels', () => {
    const table = NameTable.of(Buffer.from('# list of hosts\ndé-jà.example\nok.example'));
    expect(['list', 'j.example', '.example', 'ok.example'].map((name) => table.has(name))).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  it('is empty for an empty text', () => {
    expect(NameTable.of(Buffer.alloc(0)).has('a.example')).toBe(false);
  });

  it('holds thousands of the shortest names, some repeated, and no others', () => {
    const names = Array.from({ length: 5000 }, (_, i) => `${i.toString(36)}.a`);
    const table = NameTable.of(Buffer.from([...names, ...names.slice(0, 1000)].join('\n')));
    expect(names.every((name) => table.has(name))).toBe(true);
    expect(names.some((name) => table.has(`${name}b`) || table.has(`z${name}`.slice(0, -2)))).toBe(false);
  });

  it('takes little memory beside its text', () => {
    const names = Array.from({ length: 100_000 }, (_, i) => `throw-away-${i}.example`);
    const text = Buffer.from(names.join('\n'));
    const before = process.memoryUsage().arrayBuffers;
    const table = NameTable.of(text);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * names.length);
    expect(table.has('throw-away-99999.example')).toBe(true);
  });

  it('is the same if built in slices of any length', async () => {
    const names = Array.from({ length: 30_000 }, (_, i) => `name-${(i * 7919).toString(36)}.example${i % 9}.com`);
    const text = Buffer.from(names.join('\n'));
    let pauses = 0;
    const table = await NameTable.build(text, () => Promise.resolve(void (pauses += 1)));
    expect(pauses).toBe(2 * Math.ceil(text.length / 32_768));
    expect(names.filter((name) => !table.has(name))).toEqual([]);
    expect(names.filter((name) => table.has(name.slice(1)) || table.has(`${name}x`))).toEqual([]);
    expect((await NameTable.build(Buffer.alloc(0), () => Promise.resolve())).has('a.example')).toBe(false);
  });

  it('is the same after it was saved', () => {
    const names = Array.from({ length: 3000 }, (_, i) => `name-${(i * 7919).toString(36)}.example`);
    const table = NameTable.restore(NameTable.of(Buffer.from(names.join('\n'))).saved());
    expect(names.filter((name) => !table.has(name))).toEqual([]);
    expect(names.filter((name) => table.has(name.slice(1)) || table.has(`${name}x`))).toEqual([]);
    expect(NameTable.restore(NameTable.of(Buffer.alloc(0)).saved()).has('a.example')).toBe(false);
  });
});

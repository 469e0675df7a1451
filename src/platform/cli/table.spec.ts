import { fields, table } from './table.js';

describe('table', () => {
  it('aligns columns under their headings, without trailing spaces', () => {
    const rows = [
      ['a', 'Söhne 😀', null],
      ['long', 'x', new Date('2026-01-02T03:04:05.678Z')],
    ];
    expect(table(['ID', 'NAME', 'USED'], rows)).toBe(
      ['ID    NAME     USED', 'a     Söhne 😀  -', 'long  x        2026-01-02 03:04:05Z'].join('\n'),
    );
  });

  it('handles any number of rows', () => {
    const rows = Array.from({ length: 150_000 }, (_, index) => [index]);
    expect(table(['N'], rows).endsWith('\n149999')).toBe(true);
  });

  it('prints only the headings without rows', () => {
    expect(table(['ID', 'NAME'], [])).toBe('ID  NAME');
  });
});

it('writes fields below one another', () => {
  expect(fields({ id: 'x', 'requests per minute': 60 })).toBe('id                   x\nrequests per minute  60');
});

import { toCsv } from './csv';

describe('toCsv', () => {
  it('quotes what holds commas, quotes and line breaks', () => {
    expect(toCsv([['a,b', 'say "x"', 'two\nlines', null, 3]])).toBe('"a,b","say ""x""","two\nlines",,3\r\n');
  });

  it('neutralises what a spreadsheet would run as a formula, and leaves numbers alone', () => {
    expect(toCsv([['=1+1', '+cmd', '-x', '@sum', '-5', -5.5]])).toBe("'=1+1,'+cmd,'-x,'@sum,-5,-5.5\r\n");
  });

  it('neutralises the wide signs of East Asian keyboards too', () => {
    expect(toCsv([['＝1+1', '＋cmd', '－x', '＠sum']])).toBe("'＝1+1,'＋cmd,'－x,'＠sum\r\n");
  });
});

import { parseBlockedDomain } from './parse-entry.js';
import { parseImport } from './parse-import.js';

const read = (...lines: string[]) => parseImport(lines.join('\n'), parseBlockedDomain);

describe('parseImport', () => {
  it('reads one domain per line', () => {
    expect(
      read('# ours', 'evil.example', '', '  Bücher.example. ', '   # more', 'bad.example # seen in May, twice'),
    ).toEqual({
      entries: [{ entry: 'evil.example' }, { entry: 'xn--bcher-kva.example' }, { entry: 'bad.example' }],
      faults: [],
    });
  });

  it('reads CSV, and ignores empty and missing cells', () => {
    expect(
      read(
        'domain,label,note',
        'a.example,phishing,"ticket 7, see mail"',
        'b.example,,#8',
        'c.example,a #1',
        'd.example,,',
      ),
    ).toEqual({
      entries: [
        { entry: 'a.example', label: 'phishing', note: 'ticket 7, see mail' },
        { entry: 'b.example', note: '#8' },
        { entry: 'c.example', label: 'a #1' },
        { entry: 'd.example' },
      ],
      faults: [],
    });
  });

  it('reads files with a byte order mark and other line ends', () => {
    const { entries, faults } = parseImport('\uFEFFdomain\r\na.example\r\nb.example\rc.example', parseBlockedDomain);
    expect(entries.map(({ entry }) => entry)).toEqual(['a.example', 'b.example', 'c.example']);
    expect(faults).toEqual([]);
  });

  it('uses the last of several lines of a domain', () => {
    expect(read('a.example,one', 'A.example.,two').entries).toEqual([{ entry: 'a.example', label: 'two' }]);
  });

  it('reports every bad line by its number, without its content', () => {
    const { faults } = read(
      'ok.example',
      'ada@example.com',
      'co.uk',
      'a.example,b,c,d',
      'a.example,"b',
      `a.example,${'x'.repeat(101)}`,
      `a.example,,${'x'.repeat(501)}`,
      'a.example,a\u0007b',
      'domain',
    );
    expect(faults).toEqual([
      { line: 2, rule: expect.stringMatching(/is an address/) },
      { line: 3, rule: expect.stringMatching(/public suffix/) },
      { line: 4, rule: expect.stringMatching(/more than 3 cells/) },
      { line: 5, rule: 'has quotes that do not match' },
      { line: 6, rule: 'its label must be at most 100 printable characters' },
      { line: 7, rule: 'its note must be at most 500 printable characters' },
      { line: 8, rule: 'its label must be at most 100 printable characters' },
      { line: 9, rule: expect.stringMatching(/must be a domain/) },
    ]);
    expect(JSON.stringify(faults)).not.toContain('ada@');
  });

  it('accepts 500 characters, however many octets they have', () => {
    const note = '😀'.repeat(500);
    expect(read(`a.example,,${note}`).entries).toEqual([{ entry: 'a.example', note }]);
  });
});

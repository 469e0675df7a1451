import type { ListName } from '../../engine/signals/refreshable-lists.js';
import { parseList } from './parse-list.js';

const noPause = (): Promise<void> => Promise.resolve();
const read = async (name: ListName, text: string) => {
  const { entries, lines, bad } = await parseList(name, text, noPause);
  return [[...entries], lines, bad];
};

describe('parseList', () => {
  it.each<[string, string, string[], number, number]>([
    ['a line each', 'a.example\nb.example\n', ['a.example', 'b.example'], 2, 0],
    ['Windows line ends and a byte order mark', '\uFEFFa.example\r\nb.example\r\n', ['a.example', 'b.example'], 2, 0],
    [
      'comments and empty lines',
      '# list\n; of\n// names\n! here\n\na.example # why\nb.example ; too',
      ['a.example', 'b.example'],
      2,
      0,
    ],
    [
      'wildcards, dots and at signs',
      '*.a.example\n.b.example\n@c.example\nd.example.',
      ['a.example', 'b.example', 'c.example', 'd.example'],
      4,
      0,
    ],
    ['capitals and U-labels', 'A.Example\nMÜLLER.example', ['a.example', 'xn--mller-kva.example'], 2, 0],
    ['names that stand twice', 'a.example\na.example\nA.example', ['a.example'], 3, 0],
    ['a JSON array', '[\n "a.example", "b.example", 7\n]', ['a.example', 'b.example'], 3, 1],
    ['what is no domain', 'com\n192.0.2.1\na b.example\n-.example\nuser@a.example\na..example', [], 6, 6],
    ['no text', '', [], 0, 0],
    ['a JSON array that breaks off', '["a.example", "b.exam', [], 1, 1],
    ['a web page', '<!doctype html>\n<html>\n<body>Not found</body>', [], 3, 3],
  ])('reads %s', async (_, text, entries, lines, bad) => {
    expect(await read('disposable', text)).toEqual([entries, lines, bad]);
  });

  it('reads relays with or without their service', async () => {
    const text = 'a.example,Masked Mail\nb.example\nc.example;"Hidden, Inc"\nd.example,\ne.example,\u0007';
    expect(await read('relay', text)).toEqual([
      ['a.example\tMasked Mail', 'b.example', 'c.example\tHidden, Inc', 'd.example'],
      5,
      1,
    ]);
  });

  it('reads role words with any separator', async () => {
    const text = 'Sales\ncustomer.care\nno_reply\nbüro\n-x\ntwo words\ninfo@a.example\n' + 'x'.repeat(41);
    expect(await read('role', text)).toEqual([['sales', 'customer-care', 'no-reply', 'büro'], 8, 4]);
  });

  it('stops at the maximum number of entries, and yields to other work', async () => {
    let pauses = 0;
    const text = Array.from({ length: 20_000 }, (_, i) => `n${i}.example`).join('\n');
    const { entries } = await parseList('relay', text, () => Promise.resolve(void (pauses += 1)));
    expect([entries.size, pauses]).toEqual([5001, 5]);
  });

  it('rejects over-long lines', async () => {
    expect(await read('disposable', `${'a.'.repeat(100_000)}example\nok.example`)).toEqual([['ok.example'], 2, 1]);
  });
});

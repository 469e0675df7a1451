import { csvCells } from './csv-cells.js';

it.each([
  ['a', ['a']],
  ['', ['']],
  ['a,b,c', ['a', 'b', 'c']],
  [' a , b ', ['a', 'b']],
  ['a,', ['a', '']],
  [',,', ['', '', '']],
  ['a,"b, c","say ""no"""', ['a', 'b, c', 'say "no"']],
  ['a, "b" ,c', ['a', 'b', 'c']],
  ['"",""""', ['', '"']],
])('splits %j into %j', (line, cells) => {
  expect(csvCells(line)).toEqual(cells);
});

it.each(['a,"b', 'a,"b"c', 'a,b"c"', '"', '"a""'])('rejects %j', (line) => {
  expect(csvCells(line)).toBeNull();
});

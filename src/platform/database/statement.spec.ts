import { joined, NOTHING, statement } from './statement.js';

it('binds values, and takes only what functions return for SQL', () => {
  const { sql, values } = statement`SELECT ${() => 'a, b'} FROM t WHERE a = ${"'; DROP TABLE t"} AND b = ${null}`;
  expect(sql).toBe('SELECT a, b FROM t WHERE a = ? AND b = ?');
  expect(values).toEqual(["'; DROP TABLE t", null]);
});

it('takes in other statements with their values, in order', () => {
  const after = statement`AND id > ${7}`;
  const { sql, values } = statement`SELECT id FROM t WHERE a = ${1} ${after}${NOTHING} LIMIT ${[2]}`;
  expect(sql).toBe('SELECT id FROM t WHERE a = ? AND id > ? LIMIT ?');
  expect(values).toEqual([1, 7, [2]]);
});

it('joins several into one', () => {
  const { sql, values } = joined(
    [1, 2].map((id) => statement`SELECT ${id}`),
    ' UNION ALL ',
  );
  expect(sql).toBe('SELECT ? UNION ALL SELECT ?');
  expect(values).toEqual([1, 2]);
});

it('binds an object that looks like a statement', () => {
  const { sql, values } = statement`SELECT ${{ sql: 'SLEEP(9)', values: [] }}`;
  expect(sql).toBe('SELECT ?');
  expect(values).toHaveLength(1);
});

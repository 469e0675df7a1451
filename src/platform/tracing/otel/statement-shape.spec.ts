import { statementShape } from './statement-shape.js';

describe('statementShape', () => {
  it.each([
    ['SELECT id FROM jobs WHERE id = ?', 'SELECT jobs'],
    ['insert into `job_entries` (job_id) values (?)', 'INSERT job_entries'],
    ['UPDATE accounts SET name = ?', 'UPDATE accounts'],
    ['DELETE r FROM idempotency_records AS r WHERE r.id = ?', 'DELETE idempotency_records'],
    ['INSERT IGNORE INTO plans VALUES ?', 'INSERT plans'],
    ['START TRANSACTION', 'START'],
    ['COMMIT', 'COMMIT'],
    ['SELECT UTC_TIMESTAMP(3)', 'SELECT'],
    ['/* a remark */', 'OTHER'],
    ['', 'OTHER'],
  ])('names %s by verb and table', (sql, name) => {
    expect(statementShape(sql).name).toBe(name);
  });

  it.each([
    [`SELECT * FROM t WHERE a = 'ada@example.com'`, 'SELECT * FROM t WHERE a = ?'],
    [`SELECT * FROM t WHERE a = "ada@example.com"`, 'SELECT * FROM t WHERE a = ?'],
    [`SELECT * FROM t WHERE a = 'it''s' AND b = 'a\\'b' AND c = ?`, 'SELECT * FROM t WHERE a = ? AND b = ? AND c = ?'],
    ['SELECT * FROM t WHERE a = 12 AND b = 1.5 AND c = 0xdeadbeef', 'SELECT * FROM t WHERE a = ? AND b = ? AND c = ?'],
    ["SELECT * FROM t WHERE a = X'0A' AND job2 = ?", 'SELECT * FROM t WHERE a = X? AND job2 = ?'],
    ['SELECT * FROM t WHERE a IN (?, ?,\n ?)', 'SELECT * FROM t WHERE a IN (?)'],
    ['INSERT INTO t (a, b) VALUES (?, ?), (?, ?)', 'INSERT INTO t (a, b) VALUES (?)'],
    ['SELECT a\n      FROM t', 'SELECT a FROM t'],
  ])('leaves no value in %s', (sql, text) => {
    expect(statementShape(sql).text).toBe(text);
  });

  it('keeps nothing of a truncated value', () => {
    const long = `SELECT * FROM t WHERE a = '${'ada@example.com '.repeat(1000)}' AND b = 1`;
    expect(statementShape(long).text).toBe('SELECT * FROM t WHERE a = ?');
    expect(statementShape(`SELECT '${'\\'.repeat(5000)}`).text).toBe('SELECT ?');
  });

  it('is no longer than 500 characters', () => {
    expect(statementShape(`SELECT ${'a_column, '.repeat(1000)}`).text).toHaveLength(500);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import ts from 'typescript';

const ROOT = resolve(__dirname, '../..');

interface Statement {
  readonly where: string;
  /** What the database reads, values and holes as `?`, text in quotes left out. */
  readonly sql: string;
}

/** What MariaDB knows and MySQL 8 does not, and the other way round: the product speaks what both do. */
const ONE_SIDED: readonly (readonly [RegExp, string])[] = [
  [/\bRETURNING\b/, 'RETURNING is MariaDB’s'],
  [/\bCREATE OR REPLACE TABLE\b/, 'CREATE OR REPLACE TABLE is MariaDB’s'],
  [/\b(ADD|DROP|MODIFY|CHANGE|RENAME) (COLUMN |INDEX |KEY |CONSTRAINT |FOREIGN KEY )?IF (NOT )?EXISTS\b/, 'MariaDB’s'],
  [/\b(CREATE|DROP) (UNIQUE )?INDEX IF (NOT )?EXISTS\b/, 'IF EXISTS of an index is MariaDB’s'],
  [/\bSEQUENCE\b|\bNEXT VALUE FOR\b|\b(NEXTVAL|LASTVAL|SETVAL) ?\(/, 'sequences are MariaDB’s'],
  [/\bSYSTEM VERSIONING\b|\bFOR SYSTEM_TIME\b|\bPERIOD FOR\b/, 'versions of rows are MariaDB’s'],
  [/\b(uuid|inet4|inet6|vector)\b(?! ?\()/i, 'types of one of them'],
  [/\bENGINE ?= ?(?!InnoDB\b)/, 'another engine'],
  [/\butf8mb4_(0900|uca1400|nopad)/, 'collations of one of them'],
  [/\bLIMIT ROWS EXAMINED\b|\bSET STATEMENT\b|\bEXECUTE IMMEDIATE\b|\bMINUS\b/, 'MariaDB’s'],
  [/\bFOR UPDATE (WAIT\b|OF\b)|\bFOR SHARE\b|\bLATERAL\b/, 'locks and joins of one of them'],
  [/\bJSON_(DETAILED|LOOSE|COMPACT|EXISTS|NORMALIZE|EQUALS|QUERY)\b|->/, 'JSON functions of one of them'],
  [/\bVALUES ?\([^)]*\) AS [a-z_]+ (\([^)]*\) )?ON DUPLICATE/, 'the row’s alias is MySQL’s'],
  [/\bIN ?\(\s*SELECT[^)]*\bLIMIT\b/, 'LIMIT in such a subquery is refused by both'],
  [/\b(SKIP LOCKED|NOWAIT)\b(?<!FOR UPDATE (SKIP LOCKED|NOWAIT))/, 'only behind FOR UPDATE in both'],
];

/** Reserved in MySQL 8 or 9 and no names in MariaDB 10.11, or the other way round: such a column would have to be quoted. */
const RESERVED = new Set(
  `cube cume_dist dense_rank empty except first_value function grouping groups intersect json_table lag last_value lateral
   lead nth_value ntile of over percent_rank rank recursive row rows row_number system window manual parallel qualify
   tablesample library offset returning do_domain_ids ignore_domain_ids current_role delete_domain_id master_heartbeat_period
   page_checksum parse_vcol_expr portion ref_system_id slow stats_auto_recalc stats_persistent stats_sample_pages to_date
   vector`
    .trim()
    .split(/\s+/),
);
/** Where they mean what the standard means by them. */
const MEANT =
  /\b(ROW_NUMBER|RANK|DENSE_RANK|FIRST_VALUE|LAST_VALUE|LAG|LEAD|SUM) ?\([^)]*\) OVER\b|\bWITH RECURSIVE\b|\bOFFSET\b|\bJSON_TABLE ?\(|\bON EMPTY\b/g;

const VERBS =
  /^\s*(SELECT|INSERT|UPDATE|DELETE|REPLACE|WITH|CREATE|ALTER|DROP|RENAME|TRUNCATE|LOCK|SET|START TRANSACTION|ON DUPLICATE|FROM|WHERE|JOIN|ORDER BY|AND|VALUES)\b(?=[\s(])/;

const statements = ['src', 'migrations'].flatMap((folder) => sourcesOf(folder)).flatMap(statementsOf);

describe('the SQL of the product', () => {
  it('is found in the source', () => {
    expect(statements.length).toBeGreaterThan(100);
    expect(statements.filter(({ sql }) => /CREATE TABLE/.test(sql)).length).toBeGreaterThan(20);
  });

  it('uses only the common subset of MySQL 8 and MariaDB', () => {
    const found = statements.flatMap(({ where, sql }) =>
      ONE_SIDED.filter(([pattern]) => pattern.test(sql)).map(([, why]) => `${where}: ${why}: ${sql.slice(0, 200)}`),
    );
    expect(found).toEqual([]);
  });

  it('uses no reserved word of either as a name', () => {
    const found = statements.flatMap(({ where, sql }) => {
      const words = sql.replaceAll(MEANT, ' ').match(/[A-Za-z_]\w*/g) ?? [];
      return words.filter((word) => RESERVED.has(word.toLowerCase())).map((word) => `${where}: ${word}`);
    });
    expect(found).toEqual([]);
  });

  it('runs on connections that apply and keep their own settings', () => {
    const undoes = /\b(createConnection|createPool|createPoolCluster|changeUser|resetConnection)\(/;
    const makers = sourcesOf('src').filter((path) => {
      const text = readFileSync(path, 'utf8');
      return /from 'mysql2(\/promise)?'/.test(text) && undoes.test(text);
    });
    expect(makers.map((path) => relative(ROOT, path)).toSorted()).toEqual([
      // It sends constants only.
      'src/platform/database/hosts/host-probe.ts',
      'src/platform/database/mysql-driver.ts',
      'src/platform/database/packet-connection.ts',
    ]);
  });

  it('creates tables with one engine and character set', () => {
    const tables = statements.filter(({ sql }) => /^\s*CREATE TABLE/.test(sql));
    const odd = tables.filter(
      ({ sql }) => !/\) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci\s*$/.test(sql),
    );
    expect(odd.map(({ where }) => where)).toEqual([]);
  });
});

describe('the rules themselves', () => {
  it.each([
    'INSERT INTO t (a) VALUES (?) RETURNING id',
    'ALTER TABLE t ADD COLUMN IF NOT EXISTS a int',
    'CREATE TABLE t (id uuid NOT NULL)',
    'SELECT a FROM t FOR SHARE',
    'SELECT a->b FROM t',
    'DELETE FROM t WHERE id IN (SELECT id FROM u LIMIT 5)',
    'INSERT INTO t (a) VALUES (?) AS new ON DUPLICATE KEY UPDATE a = new.a',
    'SELECT a FROM t LOCK IN SHARE MODE SKIP LOCKED',
  ])('find %s', (sql) => {
    expect(ONE_SIDED.some(([pattern]) => pattern.test(sql))).toBe(true);
  });

  it.each([
    'INSERT INTO t (a) VALUES (?) ON DUPLICATE KEY UPDATE a = VALUES(a)',
    'SELECT id FROM t WHERE a < ? ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED',
    'DELETE FROM t WHERE id IN (?) LIMIT 5',
  ])('accept %s', (sql) => {
    expect(ONE_SIDED.filter(([pattern]) => pattern.test(sql)).map(([, why]) => why)).toEqual([]);
  });
});

function sourcesOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.spec.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Every text in a file that begins as SQL does, or that goes on where such a one was put together. */
function statementsOf(file: string): Statement[] {
  const text = readFileSync(file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  const found: Statement[] = [];
  const visit = (node: ts.Node): void => {
    const literal =
      ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) ? node.text : templateText(node);
    if (literal !== null && VERBS.test(literal)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      const sql = literal.replaceAll(/'[^']*'|`[^`]*`/g, '?').replaceAll(/\s+/g, ' ');
      found.push({ where: `${relative(ROOT, file)}:${line + 1}`, sql });
    }
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

function templateText(node: ts.Node): string | null {
  if (!ts.isTemplateExpression(node)) return null;
  return node.head.text + node.templateSpans.map(({ literal }) => `?${literal.text}`).join('');
}

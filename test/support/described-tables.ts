import type { DataSource } from 'typeorm';

/** A table as docs/tables.md describes it. */
export interface DescribedTable {
  readonly name: string;
  /** Name and type, in order. */
  readonly columns: readonly string[];
  /** Sorted. */
  readonly keys: readonly string[];
}

interface ColumnRow {
  table_name: string;
  column_name: string;
  type: string;
  collation: string | null;
  nullable: 'YES' | 'NO';
  default_value: string | null;
  extra: string;
}

interface KeyRow {
  table_name: string;
  name: string;
  not_unique: string | number;
  columns: string;
}

interface ReferenceRow {
  table_name: string;
  column_name: string;
  referenced: string;
  on_delete: string;
}

const USUAL_COLLATION = 'utf8mb4_unicode_ci';

/** A column, its type and what it means. */
const ROW = /^\| `(\w+)` \| ([^|]+) \| .*\|$/;

/** Reads docs/tables.md. */
export function documentedTables(text: string): DescribedTable[] {
  return text
    .split(/^### /m)
    .slice(1)
    .map((section) => {
      const lines = section.split('\n');
      const columns = lines.flatMap((line) => {
        const [, column, type] = ROW.exec(line) ?? [];
        return column === undefined ? [] : [`${column}: ${type}`];
      });
      const keys = lines.find((line) => line.startsWith('Keys: '))?.slice('Keys: '.length) ?? '';
      return { name: /`(\w+)`/.exec(section)?.[1] ?? '', columns, keys: keys.split('; ').sort() };
    })
    .sort(byName);
}

/** Reads every table of the database but that of the migrations. */
export async function describeTables(dataSource: DataSource): Promise<DescribedTable[]> {
  const columns = await dataSource.query<ColumnRow[]>(
    `SELECT TABLE_NAME AS table_name, COLUMN_NAME AS column_name, COLUMN_TYPE AS type, COLLATION_NAME AS collation,
        IS_NULLABLE AS nullable, COLUMN_DEFAULT AS default_value, EXTRA AS extra
      FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() ORDER BY TABLE_NAME, ORDINAL_POSITION`,
  );
  const keys = await dataSource.query<KeyRow[]>(
    `SELECT TABLE_NAME AS table_name, INDEX_NAME AS name, NON_UNIQUE AS not_unique,
        GROUP_CONCAT(COLUMN_NAME ORDER BY SEQ_IN_INDEX SEPARATOR ', ') AS columns
      FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE()
      GROUP BY TABLE_NAME, INDEX_NAME, NON_UNIQUE`,
  );
  const references = await dataSource.query<ReferenceRow[]>(
    `SELECT k.TABLE_NAME AS table_name, k.COLUMN_NAME AS column_name, k.REFERENCED_TABLE_NAME AS referenced,
        r.DELETE_RULE AS on_delete
      FROM information_schema.KEY_COLUMN_USAGE k JOIN information_schema.REFERENTIAL_CONSTRAINTS r
        ON r.CONSTRAINT_SCHEMA = k.CONSTRAINT_SCHEMA AND r.CONSTRAINT_NAME = k.CONSTRAINT_NAME
          AND r.TABLE_NAME = k.TABLE_NAME
      WHERE k.TABLE_SCHEMA = DATABASE() AND k.REFERENCED_TABLE_NAME IS NOT NULL`,
  );
  const names = [...new Set(columns.map(({ table_name }) => table_name))].filter((name) => name !== 'migrations');
  return names
    .map((name) => {
      const isOwn = (row: { table_name: string }): boolean => row.table_name === name;
      const lines = [...keys.filter(isOwn).map(keyText), ...references.filter(isOwn).map(referenceText)];
      return { name, columns: columns.filter(isOwn).map(columnText), keys: lines.sort() };
    })
    .sort(byName);
}

function byName(one: DescribedTable, other: DescribedTable): number {
  return one.name < other.name ? -1 : 1;
}

function columnText({ column_name, type, collation, nullable, default_value, extra }: ColumnRow): string {
  const isUsual = collation === null || collation === USUAL_COLLATION;
  const full = [
    // MySQL 8 tells no width of numbers.
    type.replace(/^((?:tiny|small|medium|big)?int)\(\d+\)/, '$1'),
    ...(isUsual ? [] : [collation]),
    ...(nullable === 'YES' ? ['null'] : []),
    ...(default_value === null || default_value === 'NULL' ? [] : [`default ${unquoted(default_value) || "''"}`]),
    ...(extra.includes('auto_increment') ? ['auto_increment'] : []),
  ].join(' ');
  // MariaDB keeps JSON as text.
  return `${column_name}: ${full.replace('longtext utf8mb4_bin', 'json')}`;
}

/** MariaDB quotes the default of a text. */
function unquoted(text: string): string {
  return text.replaceAll("'", '');
}

function keyText({ name, not_unique, columns }: KeyRow): string {
  if (name === 'PRIMARY') return `primary (${columns})`;
  return `${Number(not_unique) === 1 ? 'index' : 'unique'} ${name} (${columns})`;
}

function referenceText({ column_name, referenced, on_delete }: ReferenceRow): string {
  return `${column_name} refers to ${referenced}${on_delete === 'CASCADE' ? ', deleted with it' : ''}`;
}

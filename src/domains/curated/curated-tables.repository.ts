import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { retriedSnapshot } from '../../platform/database/retried-transaction.js';
import { AddressRanges, parseAddressRange } from '../../engine/dns/address-range.js';
import { NOTHING_LISTED, type CuratedTables } from '../../engine/signals/static-curated-lists.js';
import { CURATED_KINDS, type CuratedKind } from './curated-kind.js';

/** The version of each list; changes with every change of the list. */
export type CuratedVersions = Readonly<Record<CuratedKind, number>>;

/** The contents of the lists and their versions. */
export interface VersionedTables {
  readonly versions: CuratedVersions;
  readonly tables: CuratedTables;
}

/** Versions before the first read: no list ever has these. */
export const NEVER_READ: VersionedTables = {
  versions: { block: -1, spam_trap: -1, no_probe: -1 },
  tables: NOTHING_LISTED,
};

/** Rows per page: other work runs between the pages of a long list. */
const PAGE = 5000;

/** Reads the lists for serving processes: without notes. */
@Injectable()
export class CuratedTablesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** A tiny query: three rows. */
  versions(): Promise<CuratedVersions> {
    return readVersions(this.dataSource.manager);
  }

  /** Reads the lists whose version differs from `known`, and reuses the others. All reads share one snapshot. */
  readAfter(known: VersionedTables): Promise<VersionedTables> {
    return retriedSnapshot(this.dataSource, async (snapshot) => {
      const versions = await readVersions(snapshot);
      let { tables } = known;
      for (const kind of CURATED_KINDS) {
        if (versions[kind] !== known.versions[kind]) tables = { ...tables, ...(await READERS[kind](snapshot)) };
      }
      return { versions, tables };
    });
  }
}

async function readVersions(manager: EntityManager): Promise<CuratedVersions> {
  const rows = await manager.query<{ kind: CuratedKind; version: number }[]>(
    'SELECT kind, version FROM curated_versions',
  );
  const versions: Record<CuratedKind, number> = { block: 0, spam_trap: 0, no_probe: 0 };
  for (const { kind, version } of rows) versions[kind] = version;
  return versions;
}

const READERS: Readonly<Record<CuratedKind, (snapshot: EntityManager) => Promise<Partial<CuratedTables>>>> = {
  block: async (snapshot) => ({ blocked: await readLabels(snapshot) }),
  spam_trap: async (snapshot) => ({ spamTraps: await readNames(snapshot, 'spam_trap') }),
  no_probe: async (snapshot) => {
    const names = await readNames(snapshot, 'no_probe');
    const ranges = [...names].flatMap((name) => (name.includes('/') ? (parseAddressRange(name) ?? []) : []));
    return { noProbe: names, noProbeRanges: new AddressRanges(ranges) };
  },
};

async function readLabels(snapshot: EntityManager): Promise<ReadonlyMap<string, string | null>> {
  const labels = new Map<string, string | null>();
  // A list has many entries but few distinct labels: keep each label string once.
  const known = new Map<string, string>();
  await forEachRow(snapshot, 'block', 'entry, label', ({ entry, label = null }) => {
    if (label !== null && !known.has(label)) known.set(label, label);
    labels.set(entry, label === null ? null : (known.get(label) ?? label));
  });
  return labels;
}

async function readNames(snapshot: EntityManager, kind: CuratedKind): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  await forEachRow(snapshot, kind, 'entry', ({ entry }) => names.add(entry));
  return names;
}

interface Row {
  readonly entry: string;
  readonly label?: string | null;
}

/** Reads page by page, in the order of the entries. */
async function forEachRow(
  snapshot: EntityManager,
  kind: CuratedKind,
  columns: string,
  take: (row: Row) => void,
): Promise<void> {
  for (let after = ''; ;) {
    const rows = await snapshot.sql<Row[]>`
      SELECT ${() => columns} FROM curated_entries WHERE kind = ${kind} AND entry > ${after} ORDER BY entry
        LIMIT ${PAGE}`;
    rows.forEach(take);
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = last.entry;
  }
}

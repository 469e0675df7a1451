import type { DataSource } from 'typeorm';

/** Facts that a database server reports about itself. */
export interface ServerFacts {
  /** Such as `10.11.6-MariaDB` or `8.4.3`. */
  readonly version: string;
  readonly characterSet: string;
  /** Octets of the largest statement the server accepts. */
  readonly maxAllowedPacket: number;
  /** `STATEMENT`, `ROW` or `MIXED`; null where the binary log is off. */
  readonly binlogFormat: string | null;
  readonly now: Date;
}

interface Row {
  readonly version: string;
  readonly character_set: string;
  readonly max_allowed_packet: string | number;
  readonly log_bin: string | number;
  readonly binlog_format: string;
  readonly now: Date;
}

/** @throws the driver's error */
export async function readServerFacts(dataSource: DataSource): Promise<ServerFacts> {
  const [row] = await dataSource.query<Row[]>(
    `SELECT VERSION() AS version, @@character_set_database AS character_set, @@max_allowed_packet AS max_allowed_packet,
      @@log_bin AS log_bin, @@binlog_format AS binlog_format, UTC_TIMESTAMP(3) AS now`,
  );
  return {
    version: row!.version,
    characterSet: row!.character_set,
    maxAllowedPacket: Number(row!.max_allowed_packet),
    binlogFormat: Number(row!.log_bin) === 1 ? row!.binlog_format : null,
    now: row!.now,
  };
}

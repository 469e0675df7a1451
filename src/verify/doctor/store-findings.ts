import type { ServerFacts } from '../../platform/database/server-facts.repository.js';
import { fault, ok, unknown, warning, type Finding } from './finding.js';

/** Jobs of 10,000 addresses are written in statements of several megabytes. */
const LEAST_PACKET = 16 * 1024 * 1024;
/** Longer than an answer takes, shorter than any lease. */
const CLOCK_TOLERANCE_MS = 2000;

/** Judges by the facts alone. @param pending names of migrations that the database lacks */
export function databaseFindings(facts: ServerFacts, pending: number): Finding[] {
  return [versionOfDatabase(facts), settingsOfDatabase(facts), schema(pending)];
}

function versionOfDatabase({ version }: ServerFacts): Finding {
  const check = 'database';
  const isMariaDb = /mariadb/i.test(version);
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  const oldest = isMariaDb ? [10, 11] : [8, 0];
  const isOldEnough = major > oldest[0]! || (major === oldest[0] && minor >= oldest[1]!);
  const shown = isMariaDb ? `MariaDB ${version.split(/-mariadb/i)[0]}` : `MySQL ${version}`;
  return isOldEnough
    ? ok(check, shown)
    : fault(check, `${shown} is too old`, 'Use MariaDB 10.11 or MySQL 8.0, or later.');
}

function settingsOfDatabase({ maxAllowedPacket, binlogFormat, characterSet }: ServerFacts): Finding {
  const check = 'database settings';
  if (binlogFormat === 'STATEMENT') {
    return fault(check, 'binlog_format is STATEMENT: charges fail', 'Set binlog_format to ROW or MIXED.');
  }
  if (maxAllowedPacket < LEAST_PACKET) {
    const found = `max_allowed_packet is ${maxAllowedPacket} octets`;
    return warning(check, found, `Set max_allowed_packet to at least ${LEAST_PACKET}: large jobs may fail.`);
  }
  return ok(check, `${characterSet}, binary log ${binlogFormat ?? 'off'}`);
}

function schema(pending: number): Finding {
  if (pending === 0) return ok('schema', 'no migration is pending');
  return fault('schema', `${pending} migrations are pending`, 'Type: node dist/cli migrate');
}

/** @param info the output of Redis's `INFO` */
export function redisFindings(info: string): Finding[] {
  const values = new Map(info.split(/\r?\n/).map((line) => splitOnce(line, ':')));
  const [major = 0, minor = 0] = (values.get('redis_version') ?? '').split('.').map(Number);
  const version = `Redis ${values.get('redis_version') ?? 'of an unknown version'}`;
  const versionFinding =
    major > 6 || (major === 6 && minor >= 2)
      ? ok('Redis', version)
      : fault('Redis', `${version} is too old`, 'Use Redis 6.2 or Valkey 7.2, or later.');
  return [versionFinding, policyFinding(values.get('maxmemory_policy')), roleFinding(values.get('role'))];
}

function splitOnce(line: string, separator: string): [string, string] {
  const at = line.indexOf(separator);
  return at === -1 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
}

function policyFinding(policy: string | undefined): Finding {
  const check = 'Redis eviction';
  if (policy === undefined) return unknown(check, 'the server does not tell its maxmemory-policy');
  if (policy === 'noeviction') return ok(check, 'noeviction');
  return warning(check, `maxmemory-policy is ${policy}: work that waits may be deleted`, 'Set it to noeviction.');
}

function roleFinding(role: string | undefined): Finding {
  const check = 'Redis role';
  if (role === undefined) return unknown(check, 'the server does not tell its role');
  if (role === 'master') return ok(check, 'primary');
  return fault(check, 'a replica, which can only be read', 'Let REDIS_URL name the primary.');
}

/** @param clocks by name, how far each clock is ahead of ours, in milliseconds */
export function clockFinding(clocks: Readonly<Record<string, number>>): Finding {
  const check = 'clock';
  const wrong = Object.entries(clocks).filter(([, aheadMs]) => Math.abs(aheadMs) > CLOCK_TOLERANCE_MS);
  if (wrong.length === 0) return ok(check, `as that of ${Object.keys(clocks).join(' and ')}`);
  const found = wrong.map(([name, aheadMs]) => `${name} is ${seconds(aheadMs)}`).join(', ');
  return warning(check, found, 'Let all machines take their time from one source (NTP).');
}

function seconds(aheadMs: number): string {
  return `${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? 'ahead' : 'behind'}`;
}

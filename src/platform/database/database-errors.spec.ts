import { QueryFailedError } from 'typeorm';
import { isConnectionLost, isDiskFull, isLockConflict, isReadOnly } from './database-errors.js';

/** As mysql2 makes it from the server's answer. */
const refused = (errno: number, code = 'SOME_NAME', sqlMessage = 'refused') =>
  Object.assign(new Error(sqlMessage), { errno, code, sqlMessage, sqlState: 'HY000' });
const kindsOf = (error: unknown): string =>
  [
    isLockConflict(error) && 'conflict',
    isConnectionLost(error) && 'unavailable',
    isReadOnly(error) && 'read-only',
    isDiskFull(error) && 'full',
  ]
    .filter(Boolean)
    .join(' ');

it.each([
  ['a lock wait that took too long', refused(1205, 'ER_LOCK_WAIT_TIMEOUT'), 'conflict'],
  ['a deadlock, or a failed certification in Galera', refused(1213, 'ER_LOCK_DEADLOCK'), 'conflict'],
  ['a row changed since the snapshot', refused(1020, 'ER_CHECKREAD'), 'conflict'],
  ['a failed certification in Group Replication', refused(3101), 'conflict'],
  ['a fenced primary', refused(1290, 'ER_OPTION_PREVENTS_STATEMENT'), 'unavailable read-only'],
  ['a server in read-only mode', refused(1836, 'ER_READ_ONLY_MODE'), 'unavailable read-only'],
  ['a node that is not ready', refused(1047, 'ER_UNKNOWN_COM_ERROR'), 'unavailable'],
  ['a commit that failed in the server', refused(1180, 'ER_ERROR_DURING_COMMIT'), 'unavailable'],
  ['a connection ended by the server', refused(1927), 'unavailable'],
  ['a server with too many connections', refused(1040, 'ER_CON_COUNT_ERROR'), 'unavailable'],
  ['a server that does not know our user yet', refused(1045, 'ER_ACCESS_DENIED_ERROR'), 'unavailable'],
  ['a server without our database yet', refused(1049, 'ER_BAD_DB_ERROR'), 'unavailable'],
  ['a server that shuts down', refused(1053, 'ER_SERVER_SHUTDOWN'), 'unavailable'],
  ['a full disk', refused(1021, 'ER_DISK_FULL'), 'unavailable full'],
  ['a file that cannot grow', refused(1114, 'ER_RECORD_FILE_FULL'), 'unavailable full'],
  [
    'a file that cannot be written',
    refused(3, 'EE_WRITE', 'Error writing file (Errcode: 28 "No space left on device")'),
    'unavailable full',
  ],
  [
    'a log that cannot be written',
    refused(1026, 'ER_ERROR_ON_WRITE', "Error writing file './bin.000001' (errno: 28)"),
    'unavailable full',
  ],
  ['an engine without space', refused(1030, 'ER_GET_ERRNO', 'Got error 28 from storage engine'), 'unavailable full'],
  ['a commit without space', refused(1180, 'ER_ERROR_DURING_COMMIT', 'Got error 28 during COMMIT'), 'unavailable full'],
  ['an engine that fails otherwise', refused(1030, 'ER_GET_ERRNO', 'Got error 128 from storage engine'), ''],
  ['a duplicate of a text about errors', refused(1062, 'ER_DUP_ENTRY', "Duplicate entry 'error 28' for key 'a'"), ''],
  ['a group that is lost', refused(3100, 'ER_RUN_HOOK_ERROR'), 'unavailable'],
  ['a lost connection', Object.assign(new Error('lost'), { fatal: true, code: 'ECONNRESET' }), 'unavailable'],
  ['a duplicate key', refused(1062, 'ER_DUP_ENTRY'), ''],
  ['an unknown column', refused(1054, 'ER_BAD_FIELD_ERROR'), ''],
])('tells what kind of error is %s', (_, error, kinds) => {
  expect(kindsOf(error)).toBe(kinds);
  expect(kindsOf(new QueryFailedError('SELECT 1', [], error))).toBe(kinds);
});

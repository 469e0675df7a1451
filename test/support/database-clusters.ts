import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { callScriptFunction } from '../scripts/script-function.js';
import { freePort } from './free-port.js';
import { newFolder, ownMariaDb, type OwnMariaDb } from './own-servers.js';
import { waitUntil } from './wait-until.js';

/** Database servers that a test file has to itself. */
export interface DatabaseServers {
  readonly nodes: readonly OwnMariaDb[];
  /** Names all of them, in order. */
  readonly url: string;
  close(): Promise<void>;
}

export interface GaleraCluster extends DatabaseServers {
  /** Starts a node that was killed. It gets what it has missed from another one. */
  bringBack(node: number): Promise<void>;
}

export interface ReplicatedPair extends DatabaseServers {
  /** Makes the replica the primary: the primary is fenced first, and becomes its replica. */
  switchOver(): Promise<void>;
  /** Makes the replica of a primary that is gone the primary. */
  promote(): Promise<void>;
  /** The one that can be written to. */
  readonly primary: OwnMariaDb;
}

/** One statement on a connection of its own. */
export async function ask<Row>(url: string, sql: string): Promise<Row[]> {
  const connection = await createConnection({ uri: url, connectTimeout: 10_000 });
  try {
    const [rows] = await connection.query<(Row & RowDataPacket)[]>(sql);
    return rows;
  } finally {
    connection.destroy();
  }
}

/**
 * The nodes share a machine, and one only ever misses what another still has: what is left of a transfer of state is to
 * tell the joining node the position that it reaches.
 */
const TRANSFER = `#!/bin/sh
while [ $# -gt 0 ]; do
  case $1 in
    --role) role=$2; shift ;;
    --address) address=$2; shift ;;
    --gtid) gtid=$2; shift ;;
    --datadir) data=$2; shift ;;
    --parent) parent=$2; shift ;;
    --bypass) bypass=1 ;;
  esac
  shift
done
if [ "$role" = joiner ]; then
  file="$data/position"
  rm -f "$file"
  echo "ready $address/$file"
  while [ ! -s "$file" ]; do kill -0 "$parent" || exit 1; sleep 0.05; done
  cat "$file"
else
  [ "$bypass" = 1 ] || exit 1
  file="/\${address#*/}"
  echo "$gtid" > "$file.new" && mv "$file.new" "$file"
  echo "done $gtid"
fi
`;
/** A node that is gone is left out after three seconds: soon enough for a test, and not too soon for a busy machine. */
const LEAVING =
  'evs.keepalive_period=PT0.5S;evs.inactive_check_period=PT0.5S;evs.suspect_timeout=PT3S;evs.inactive_timeout=PT6S';

/** Three nodes. Null: the library is not here. */
export async function startGalera(): Promise<GaleraCluster | null> {
  const library = (await callScriptFunction('galera.mjs', 'findGalera')) as string | null;
  if (library === null) return null;
  const folder = await newFolder();
  const programs = join(folder, 'bin');
  await mkdir(programs);
  await writeFile(join(programs, 'wsrep_sst_handover'), TRANSFER, { mode: 0o755 });
  const environment = { PATH: `${programs}:${process.env['PATH']}` };

  const ports = [await freePort(), await freePort(), await freePort()];
  const transfers = [await freePort(), await freePort(), await freePort()];
  const cluster = [
    '--binlog-format=ROW',
    '--innodb-autoinc-lock-mode=2',
    '--wsrep-on=ON',
    `--wsrep-provider=${library}`,
    '--wsrep-cluster-name=mailvet_test',
    `--wsrep-cluster-address=gcomm://${ports.map((port) => `127.0.0.1:${port}`).join(',')}`,
    '--wsrep-node-address=127.0.0.1',
    '--wsrep-sst-method=handover',
  ];
  const argumentsOf = (node: number): string[] => [
    ...cluster,
    `--wsrep-provider-options=base_port=${ports[node]};gmcast.listen_addr=tcp://127.0.0.1:${ports[node]};` +
      `ist.recv_addr=127.0.0.1:${transfers[node]};gcache.size=32M;gcache.recover=yes;pc.recovery=no;${LEAVING}`,
  ];

  const first = await ownMariaDb(join(folder, '0'), { environment });
  await first.start([...argumentsOf(0), '--wsrep-new-cluster']);
  await first.end('SIGTERM');
  // All begin with the same data, at the same position.
  const others: OwnMariaDb[] = [];
  for (const name of ['1', '2']) {
    await cp(join(folder, '0'), join(folder, name), { recursive: true });
    await rm(join(folder, name, 'data', 'galera.cache'), { force: true });
    others.push(await ownMariaDb(join(folder, name), { environment, made: true }));
  }
  const nodes = [first, ...others];
  // What the file says is there already, and a node may not write before it has joined.
  for (const name of ['0', '1', '2']) await writeFile(join(folder, name, 'init.sql'), '');
  await first.start([...argumentsOf(0), '--wsrep-new-cluster']);
  await Promise.all(others.map((node, i) => node.start(argumentsOf(i + 1))));
  await Promise.all(nodes.map(hasJoined));
  return {
    nodes,
    url: urlOf(nodes),
    async bringBack(node) {
      const said = await nodes[node]!.run([...argumentsOf(node), '--wsrep-recover']);
      const position = /Recovered position: ?(\S+)/.exec(said)?.[1];
      if (position === undefined) throw new Error(`the node does not know its position:\n${said}`);
      await nodes[node]!.start([...argumentsOf(node), `--wsrep-start-position=${position}`]);
      await hasJoined(nodes[node]!);
    },
    close: () => closeAll(nodes, folder),
  };
}

/** A primary and its semi-synchronous replica: COMMIT is answered once the replica has the transaction (AFTER_SYNC). */
export async function startReplicatedPair(): Promise<ReplicatedPair> {
  const folder = await newFolder();
  const nodes: OwnMariaDb[] = [];
  for (const name of ['1', '2']) {
    const settings = [
      '--log-bin=log',
      '--sync-binlog=1',
      '--binlog-format=ROW',
      '--log-slave-updates',
      `--server-id=${name}`,
      '--rpl-semi-sync-slave-enabled=ON',
      '--rpl-semi-sync-master-wait-point=AFTER_SYNC',
      '--rpl-semi-sync-master-timeout=60000',
      '--read-only=ON',
    ];
    nodes.push(await ownMariaDb(join(folder, name), { settings }));
  }
  await Promise.all(nodes.map((node) => node.start()));
  let [primary, replica] = nodes as [OwnMariaDb, OwnMariaDb];

  const follow = async (): Promise<void> => {
    const { hostname, port, username, password } = new URL(primary.adminUrl);
    await ask(
      replica.adminUrl,
      `CHANGE MASTER TO MASTER_HOST='${hostname}', MASTER_PORT=${port}, MASTER_USER='${username}',
        MASTER_PASSWORD='${password}', MASTER_CONNECT_RETRY=1, MASTER_USE_GTID=slave_pos`,
    );
    await ask(replica.adminUrl, 'START SLAVE');
    const follows = async (): Promise<boolean> => {
      const [row] = await ask<{ Value: string }>(primary.adminUrl, "SHOW STATUS LIKE 'Rpl_semi_sync_master_clients'");
      return row?.Value === '1';
    };
    if (!(await waitUntil(follows, { ms: 30_000 }))) throw new Error('the replica does not follow');
    await ask(primary.adminUrl, 'SET GLOBAL rpl_semi_sync_master_enabled = ON');
  };
  const takeOver = async (): Promise<void> => {
    await ask(replica.adminUrl, 'STOP SLAVE');
    await ask(replica.adminUrl, 'RESET SLAVE ALL');
    await ask(replica.adminUrl, 'SET GLOBAL read_only = OFF');
    [primary, replica] = [replica, primary];
  };
  await ask(primary.adminUrl, 'SET GLOBAL read_only = OFF');
  await follow();

  return {
    nodes,
    url: urlOf(nodes),
    get primary() {
      return primary;
    },
    async switchOver() {
      await ask(primary.adminUrl, 'SET GLOBAL read_only = ON');
      const [last] = await ask<{ position: string }>(primary.adminUrl, 'SELECT @@gtid_binlog_pos AS position');
      const [waited] = await ask<{ outcome: number }>(
        replica.adminUrl,
        `SELECT MASTER_GTID_WAIT('${last!.position}', 30) AS outcome`,
      );
      if (waited!.outcome !== 0) throw new Error('the replica does not have all that the primary has');
      await takeOver();
      await ask(replica.adminUrl, 'SET GLOBAL rpl_semi_sync_master_enabled = OFF');
      await ask(replica.adminUrl, `SET GLOBAL gtid_slave_pos = '${last!.position}'`);
      await follow();
    },
    async promote() {
      await ask(replica.adminUrl, 'STOP SLAVE IO_THREAD');
      // What has come in is applied before anybody may write.
      const isApplied = async (): Promise<boolean> => {
        const [row] = await ask<Record<string, unknown>>(replica.adminUrl, 'SHOW SLAVE STATUS');
        return (
          row!['Read_Master_Log_Pos'] === row!['Exec_Master_Log_Pos'] &&
          row!['Master_Log_File'] === row!['Relay_Master_Log_File']
        );
      };
      if (!(await waitUntil(isApplied, { ms: 30_000 }))) throw new Error('the replica does not apply what it has');
      await takeOver();
    },
    close: () => closeAll(nodes, folder),
  };
}

/** The node has all that the cluster has. */
async function hasJoined({ url }: OwnMariaDb): Promise<void> {
  const isSynced = async (): Promise<boolean> => {
    const rows = await ask<{ Value: string }>(url, "SHOW STATUS LIKE 'wsrep_local_state'").catch(() => []);
    return rows[0]?.Value === '4';
  };
  if (!(await waitUntil(isSynced, { ms: 60_000, everyMs: 100 }))) throw new Error('the node does not join the cluster');
}

function urlOf(nodes: readonly OwnMariaDb[]): string {
  const [first, ...others] = nodes.map(({ url }) => new URL(url));
  return first!.href.replace(first!.host, [first!, ...others].map(({ host }) => host).join(','));
}

async function closeAll(nodes: readonly OwnMariaDb[], folder: string): Promise<void> {
  await Promise.all(nodes.map((node) => node.end('SIGKILL')));
  await rm(folder, { recursive: true, force: true });
}

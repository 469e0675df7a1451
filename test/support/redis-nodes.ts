import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { callScriptFunction } from '../scripts/script-function.js';
import { freePort } from './free-port.js';
import { waitUntil } from './wait-until.js';

/** One of several Redis processes that a test file has to itself, and may kill. */
export interface RedisNode {
  readonly port: number;
  /** Of the bus of a cluster. */
  readonly busPort: number;
  /** Speaks to this process alone. */
  readonly admin: Redis;
  start(): Promise<void>;
  /** With -9, or lets it hang. */
  kill(signal?: 'SIGKILL' | 'SIGSTOP'): Promise<void>;
}

export interface RedisGroup {
  /** For `REDIS_URL`. */
  readonly url: string;
  /** The primaries come first. */
  readonly nodes: readonly RedisNode[];
  close(): Promise<void>;
}

const PASSWORD = randomBytes(12).toString('hex');
const PRIMARY = 'mailvet';
const READY_MS = 60_000;
/** After so long without an answer a server counts as away: shorter than anybody would set it. */
const AWAY_AFTER_MS = 1500;

const SERVER = [
  'bind 127.0.0.1',
  `requirepass ${PASSWORD}`,
  `masterauth ${PASSWORD}`,
  'maxmemory-policy noeviction',
  'save ""',
  'repl-diskless-sync-delay 0',
];

/** A primary, two replicas, and three sentinels that watch them. */
export async function startSentinels(): Promise<RedisGroup> {
  const folder = await newFolder();
  const [primary, ...replicas] = await Promise.all([1, 2, 3].map((n) => newNode(join(folder, `server-${n}`))));
  const sentinels = await Promise.all([1, 2, 3].map((n) => newNode(join(folder, `sentinel-${n}`))));
  await configure(primary!, SERVER);
  for (const replica of replicas) await configure(replica, [...SERVER, `replicaof 127.0.0.1 ${primary!.port}`]);
  for (const sentinel of sentinels) {
    await configure(sentinel, [
      'bind 127.0.0.1',
      `sentinel monitor ${PRIMARY} 127.0.0.1 ${primary!.port} 2`,
      `sentinel auth-pass ${PRIMARY} ${PASSWORD}`,
      `sentinel down-after-milliseconds ${PRIMARY} ${AWAY_AFTER_MS}`,
      `sentinel failover-timeout ${PRIMARY} 6000`,
    ]);
  }
  const servers = [primary!, ...replicas];
  await Promise.all(servers.map((server) => server.start('redis-server')));
  const isCopied = async (replica: Node): Promise<boolean> =>
    (await replica.admin.info('replication')).includes('master_link_status:up');
  await eventually('the replicas follow', async () => (await Promise.all(replicas.map(isCopied))).every(Boolean));
  await Promise.all(sentinels.map((sentinel) => sentinel.start('redis-sentinel')));
  const knowsAll = async (sentinel: Node): Promise<boolean> => {
    const [others, copies] = (await Promise.all([
      sentinel.admin.call('SENTINEL', 'sentinels', PRIMARY),
      sentinel.admin.call('SENTINEL', 'replicas', PRIMARY),
    ])) as [unknown[], unknown[]];
    return others.length === sentinels.length - 1 && copies.length === replicas.length;
  };
  await eventually('the sentinels know all', async () => (await Promise.all(sentinels.map(knowsAll))).every(Boolean));
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return group(`redis+sentinel://default:${PASSWORD}@${hosts}/${PRIMARY}/1`, [...servers, ...sentinels], folder);
}

/** The node of a group of `startSentinels` that all sentinels call the primary; null while they do not agree. */
export async function primaryOf({ nodes }: RedisGroup): Promise<RedisNode | null> {
  const named = await Promise.all(
    nodes.slice(-3).map(({ admin }) => admin.call('SENTINEL', 'get-master-addr-by-name', PRIMARY)),
  );
  const [port, ...others] = (named as [string, string][]).map((address) => Number(address[1]));
  if (others.some((other) => other !== port)) return null;
  return nodes.find((node) => node.port === port) ?? null;
}

/** A cluster of so many primaries, each with a replica if it says so. */
export async function startCluster({ primaries = 3, withReplicas = true } = {}): Promise<RedisGroup> {
  const folder = await newFolder();
  const count = withReplicas ? 2 * primaries : primaries;
  const nodes = await Promise.all(Array.from({ length: count }, (_, n) => newNode(join(folder, `node-${n + 1}`))));
  await Promise.all(
    nodes.map(async (node) => {
      await configure(node, [
        ...SERVER,
        'cluster-enabled yes',
        `cluster-port ${node.busPort}`,
        `cluster-node-timeout ${AWAY_AFTER_MS}`,
        'cluster-announce-ip 127.0.0.1',
      ]);
      await node.start('redis-server');
    }),
  );
  const each = Math.ceil(16_384 / primaries);
  for (const [i, node] of nodes.entries()) {
    await node.admin.call('CLUSTER', 'SET-CONFIG-EPOCH', i + 1);
    if (i < primaries) {
      await node.admin.call('CLUSTER', 'ADDSLOTSRANGE', i * each, Math.min(16_384, (i + 1) * each) - 1);
    }
    await nodes[0]!.admin.call('CLUSTER', 'MEET', '127.0.0.1', node.port, node.busPort);
  }
  const says = async (node: Node, ...lines: string[]): Promise<boolean> => {
    const info = String(await node.admin.call('CLUSTER', 'INFO'));
    return lines.every((line) => info.includes(line));
  };
  const allSay =
    (...lines: string[]) =>
    async (): Promise<boolean> =>
      (await Promise.all(nodes.map((node) => says(node, ...lines)))).every(Boolean);
  await eventually('the nodes of the cluster meet', allSay(`cluster_known_nodes:${count}`));
  for (const [i, replica] of nodes.slice(primaries).entries()) {
    const id = String(await nodes[i]!.admin.call('CLUSTER', 'MYID'));
    await eventually('a replica follows', () =>
      replica.admin.call('CLUSTER', 'REPLICATE', id).then(
        () => true,
        () => false,
      ),
    );
  }
  await eventually('the cluster is whole', allSay('cluster_state:ok', `cluster_size:${primaries}`));
  await eventually('the replicas have everything', async () => {
    const infos = await Promise.all(nodes.slice(primaries).map(({ admin }) => admin.info('replication')));
    return infos.every((info) => info.includes('master_link_status:up'));
  });
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return group(`redis+cluster://default:${PASSWORD}@${hosts}`, nodes, folder);
}

/** Moves a slot with its keys from one primary of a cluster to another, as `redis-cli --cluster reshard` does. */
export async function moveSlot(slot: number, from: RedisNode, to: RedisNode): Promise<void> {
  const [fromId, toId] = await Promise.all([from, to].map(async ({ admin }) => admin.call('CLUSTER', 'MYID')));
  await to.admin.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', String(fromId));
  await from.admin.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', String(toId));
  for (;;) {
    const keys = (await from.admin.call('CLUSTER', 'GETKEYSINSLOT', slot, 100)) as string[];
    if (keys.length === 0) break;
    await from.admin.call('MIGRATE', '127.0.0.1', to.port, '', 0, 5000, 'AUTH', PASSWORD, 'KEYS', ...keys);
  }
  await to.admin.call('CLUSTER', 'SETSLOT', slot, 'NODE', String(toId));
  await from.admin.call('CLUSTER', 'SETSLOT', slot, 'NODE', String(toId));
}

/** The primary of a cluster that holds this key, by what `witness` knows. */
export async function holderOf(key: string, witness: RedisNode, { nodes }: RedisGroup): Promise<RedisNode> {
  const slot = Number(await witness.admin.call('CLUSTER', 'KEYSLOT', key));
  const slots = (await witness.admin.call('CLUSTER', 'SLOTS')) as [number, number, [string, number]][];
  const range = slots.find(([first, last]) => first <= slot && slot <= last);
  return nodes.find(({ port }) => port === range?.[2][1])!;
}

interface Node extends Omit<RedisNode, 'start'> {
  readonly folder: string;
  start(program: 'redis-server' | 'redis-sentinel'): Promise<void>;
}

async function newNode(folder: string): Promise<Node> {
  const command = (await callScriptFunction('redis.mjs', 'findRedis')) as string;
  const [port, busPort] = await Promise.all([freePort(), freePort()]);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const admin = new Redis({
    host: '127.0.0.1',
    port,
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    connectTimeout: 2000,
    retryStrategy: () => 100,
  });
  admin.on('error', () => undefined);
  let running: { child: ChildProcess; exit: Promise<unknown> } | null = null;
  return {
    port,
    busPort,
    admin,
    folder,
    async start(program) {
      const args = program === 'redis-sentinel' ? ['redis.conf', '--sentinel'] : ['redis.conf'];
      const child = spawn(command, args, { argv0: program, cwd: folder, stdio: 'ignore' });
      running = { child, exit: once(child, 'exit') };
      if (program === 'redis-server') admin.options.password = PASSWORD;
      const answers = (): Promise<boolean> =>
        admin.ping().then(
          () => true,
          () => false,
        );
      if (await waitUntil(answers, { ms: READY_MS, gone: running.exit })) return;
      throw new Error(`${program} did not start in ${folder}`);
    },
    async kill(signal = 'SIGKILL') {
      if (running === null) return;
      const { child, exit } = running;
      child.kill(signal);
      if (signal === 'SIGSTOP') return;
      running = null;
      await exit;
    },
  };
}

async function configure({ folder, port }: Node, lines: readonly string[]): Promise<void> {
  await writeFile(join(folder, 'redis.conf'), [`port ${port}`, ...lines, ''].join('\n'), { mode: 0o600 });
}

function group(url: string, nodes: readonly Node[], folder: string): RedisGroup {
  return {
    url,
    nodes: nodes.map((node) => ({ ...node, start: () => node.start('redis-server') })),
    async close() {
      for (const { admin } of nodes) admin.disconnect();
      await Promise.all(nodes.map((node) => node.kill()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function eventually(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const isSoNow = (): Promise<boolean> => isSo().catch(() => false);
  if (!(await waitUntil(isSoNow, { ms: READY_MS }))) throw new Error(`not within a minute: ${what}`);
}

function newFolder(): Promise<string> {
  return mkdtemp(join(process.env['MAILVET_RUN_FOLDER'] ?? tmpdir(), 'redis-'));
}

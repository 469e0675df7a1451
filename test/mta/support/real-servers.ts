import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Deadline } from '../../../src/engine/deadline.js';
import { DnsResolver } from '../../../src/engine/dns/dns-resolver.js';
import { waitUntil } from '../../support/wait-until.js';
import { Keeper, type ServerTask } from './keeper.js';
import { knotTask, makeKey, type Zones } from './knot.js';
import { Places } from './places.js';
import { ServerTree } from './server-tree.js';
import { unboundTask } from './unbound.js';

/** What a plan is made from. */
export interface ServerParts {
  readonly places: Places;
  readonly tree: ServerTree;
}

/** The servers of one spec file. */
export interface ServerPlan {
  /** MX records: mail host by domain, both below `test.`. Addresses of mail hosts need no record. */
  readonly domains: Readonly<Record<string, string>>;
  /** Further lines of the zone `test.`. */
  readonly records?: readonly string[];
  /** Zones beside `.` and `test.`. */
  readonly zones?: Zones;
  /** Those of them that are signed. */
  readonly signed?: readonly string[];
  /** Signatures that the resolver insists on, though the zones have none: DS records, as in a zone file. */
  readonly brokenSignatures?: readonly string[];
  /** Servers beside the name servers; `at` names the places where each listens once it is up. */
  readonly servers: readonly { readonly task: ServerTask; readonly at: readonly string[] }[];
}

const READY_MS = 60_000;

/**
 * Real servers on loopback addresses: Knot with the zones, Unbound in front of it, and the mail servers of a plan. They
 * end with `stop`, and with the test process however that ends.
 */
export class RealServers {
  private constructor(
    private readonly folder: string,
    private readonly keeper: Keeper,
    readonly tree: ServerTree,
    readonly places: Places,
  ) {}

  /** @param unpacked what `unpackedServers()` found */
  static async start(unpacked: string, plan: (parts: ServerParts) => ServerPlan): Promise<RealServers> {
    const home = dirname(unpacked);
    await sweep(home);
    const folder = mkdtempSync(join(home, `bench-${process.pid}-`));
    mkdirSync(join(folder, 'logs'));
    const opening = Keeper.open(folder);
    try {
      const [places, tree] = await Promise.all([Places.find(), ServerTree.make(unpacked, join(folder, 'root'))]);
      const servers = new RealServers(folder, await opening, tree, places);
      await servers.bringUp(plan({ places, tree }));
      return servers;
    } catch (error) {
      await discard(folder, await opening);
      throw error;
    }
  }

  /** The service's environment: how it reaches these servers, and who it says it is. */
  get environment(): Readonly<Record<string, string>> {
    return {
      DNS_SERVERS: this.places.endpoint('resolver'),
      SMTP_PORT: String(this.places.port),
      SMTP_ALLOW_PRIVATE_NETWORKS: 'true',
      SMTP_HELO_NAME: 'prober.test',
    };
  }

  async stop(): Promise<void> {
    await discard(this.folder, this.keeper);
  }

  private async bringUp(plan: ServerPlan): Promise<void> {
    const { domains, records = [], zones = {}, signed = [], brokenSignatures = [], servers } = plan;
    const { tree, places } = this;
    const root = { address: places.address('root-server'), port: places.port };
    const resolver = places.address('resolver');
    places.address('prober.test');
    const ports = places.dnsPort === null ? [places.port] : [places.dnsPort, places.port];
    tree.place('/etc/resolv.conf', `nameserver ${resolver}\noptions timeout:2 attempts:1\n`);

    const named = [...places.all()].filter(([name]) => name.endsWith('.test'));
    const test = [
      ...named.map(([name, address]) => `${name}. A ${address}`),
      ...Object.entries(domains).map(([domain, host]) => `${domain}. MX 10 ${host}.`),
      ...records,
    ];
    const all = { '.': ['test. NS ns.test.'], test: [...test, `ns A ${root.address}`], ...zones };
    const knot = knotTask(tree, root, all, signed);
    const keys: string[] = [];
    for (const zone of signed) keys.push(await makeKey(tree, zone));
    const isUp = (address: string) => () => answersDns(address, places.port);
    await this.bringUpOne(knot, isUp(root.address));
    const listen = { address: resolver, ports };
    const trustAnchors = [...brokenSignatures, ...keys];
    await this.bringUpOne(unboundTask(tree, { listen, root, zones: Object.keys(all), trustAnchors }), isUp(resolver));
    await Promise.all(
      servers.map(({ task, at }) =>
        this.bringUpOne(task, () =>
          allListen(
            at.map((name) => places.address(name)),
            places.port,
          ),
        ),
      ),
    );
  }

  private async bringUpOne(task: ServerTask, isReady: () => Promise<boolean>): Promise<void> {
    const log = join(this.folder, 'logs', `${task.name}.log`);
    const { ended } = await this.keeper.start(task, log);
    if (await waitUntil(isReady, { ms: READY_MS, gone: ended })) return;
    const logs = [log, ...(task.ownLog === undefined ? [] : [join(this.tree.root, task.ownLog)])];
    const said = logs.filter((path) => existsSync(path)).map((path) => readFileSync(path, 'utf8').slice(-4000));
    throw new Error(`${task.name} did not come up:\n${said.join('')}`);
  }
}

/** Removes what test processes that crashed have left. */
async function sweep(home: string): Promise<void> {
  for (const name of readdirSync(home)) {
    const pid = Number(/^bench-(\d+)-/.exec(name)?.[1]);
    if (!pid || isAlive(pid)) continue;
    const folder = join(home, name);
    try {
      await discard(folder, await Keeper.open(folder));
    } catch {
      // Another test process is at it.
    }
  }
}

async function discard(folder: string, keeper: Keeper): Promise<void> {
  await keeper.end();
  // Some thousand files: Node's own removal takes ten times as long.
  await promisify(execFile)('rm', ['-rf', folder]);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function answersDns(address: string, port: number): Promise<boolean> {
  const resolver = new DnsResolver({ servers: [{ address, port }], timeoutMs: 500, cacheEntries: 1 });
  const deadline = Deadline.after(500);
  const answer = await resolver.query('.', 'SOA', { deadline });
  deadline.release();
  resolver.close();
  return answer.kind === 'records';
}

async function allListen(addresses: readonly string[], port: number): Promise<boolean> {
  const answers = await Promise.all(addresses.map((address) => listens(address, port)));
  return answers.every(Boolean);
}

function listens(address: string, port: number): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect(port, address);
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
    socket.once('close', () => settle(false));
    socket.once('connect', () => socket.destroy());
  });
}

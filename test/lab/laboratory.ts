import { createServer } from 'node:net';
import type { DnsData, DnsEntry } from './dns/dns-data.js';
import { DnsServer } from './dns/dns-server.js';
import { closed, hasCode, isTaken, listening, LoopbackRange } from './loopback.js';
import { BlackHoles } from './smtp/black-holes.js';
import type { MailHost } from './smtp/mail-host.js';
import { ScriptedServer, type RunningHost } from './smtp/scripted-server.js';
import { KEPT_PER_HOST, SessionBook, type SessionLog } from './smtp/session-log.js';
import { StockServer } from './smtp/stock-server.js';
import { listenUntouched, type UntouchedListener } from './smtp/untouched-listener.js';
import { PROBER_NAME, type World } from './world.js';

export interface LaboratoryOptions {
  /** Port of the name server; any free one by default. */
  readonly dnsPort?: number;
  /** The one port on which all mail hosts listen; any free one by default. */
  readonly smtpPort?: number;
  /** Sessions kept of each mail host, 2,000 by default. Use few in tests of the heap. */
  readonly sessionsKept?: number;
}

/** Records of every lab's DNS: the prober's names. A world may override them. */
const COMMON_DNS: DnsData = {
  [PROBER_NAME]: { A: ['127.0.0.1'], MX: [[10, PROBER_NAME]], TXT: ['v=spf1 ip4:127.0.0.0/8 -all'] },
  '1.0.0.127.in-addr.arpa': { PTR: [PROBER_NAME] },
};

const ATTEMPTS = 10;

/**
 * Starts a lab internet: a name server and the mail hosts of `world`, each on its own loopback address. Any number may
 * run in parallel. Rejects if ports stay taken or loopback addresses are not available.
 */
export async function startLaboratory(world: World, options: LaboratoryOptions = {}): Promise<Laboratory> {
  for (let attempt = 1; ; attempt += 1) {
    const laboratory = new Laboratory(world, new SessionBook(options.sessionsKept ?? KEPT_PER_HOST));
    try {
      await laboratory.start(options);
      return laboratory;
    } catch (error) {
      await laboratory.stop();
      if (attempt === ATTEMPTS || !isTaken(error)) throw error;
    }
  }
}

/** A running lab. Create it by `startLaboratory`. */
export class Laboratory {
  private readonly range = new LoopbackRange();
  private readonly addresses = new Map<string, string>();
  private readonly servers = new Map<string, RunningHost>();
  private readonly untouched = new Map<string, UntouchedListener[]>();
  private readonly anchor = createServer((socket) => socket.destroy());
  private blackHoles: BlackHoles | null = null;
  private dns: DnsServer | null = null;
  private dnsData: DnsData;
  private port = 0;

  constructor(
    private readonly world: World,
    private readonly book: SessionBook,
  ) {
    this.dnsData = world.dns;
  }

  /** `ip:port`, for `DNS_SERVERS`. */
  get dnsServer(): string {
    return `${this.running.address}:${this.running.port}`;
  }

  /** For `SMTP_PORT`; the same on all mail hosts. */
  get smtpPort(): number {
    return this.port;
  }

  /** The loopback address of a mail host. @throws RangeError for a host of another world */
  addressOf(host: string): string {
    const address = this.addresses.get(host);
    if (address === undefined) throw new RangeError(`no mail host ${host} in this laboratory`);
    return address;
  }

  /** Sessions with a mail host, oldest first; only the newest are kept (`sessionsKept`). */
  sessions(host: string): readonly SessionLog[] {
    this.addressOf(host);
    return this.book.of(host);
  }

  /** Number of open sessions of all mail hosts. */
  get openSessions(): number {
    return this.book.openNow;
  }

  /** Number of sessions of all mail hosts since the start. */
  get totalSessions(): number {
    return this.book.total;
  }

  /** True once every session has ended; false if one is still open after `withinMs`. */
  allSessionsClosed(withinMs = 20_000): Promise<boolean> {
    return this.book.allClosed(withinMs);
  }

  /** The listeners on ports of a host that nobody should touch. Fewer than requested if the system forbids low ports. */
  untouchedListeners(host: string): readonly UntouchedListener[] {
    return this.untouched.get(host) ?? [];
  }

  /** Number of questions for a name, of one type or of all, since the start. */
  dnsQueries(name: string, type?: string): number {
    return this.running.queryCount(name, type);
  }

  /** Number of all questions since the start. */
  get totalDnsQueries(): number {
    return this.running.totalQueries;
  }

  /** Replaces the records of a name; null removes them. */
  setDns(name: string, entry: DnsEntry | null): void {
    const { [name]: _, ...others } = this.dnsData;
    this.dnsData = entry === null ? others : { ...others, [name]: entry };
    this.running.replaceData(this.resolveHosts(this.dnsData));
  }

  /** Replaces the behaviour of a scripted host for new sessions. `tcp` stays. */
  setHost(name: string, host: MailHost): void {
    const server = this.servers.get(name);
    if (!(server instanceof ScriptedServer)) throw new RangeError(`${name} is no scripted mail host that listens`);
    server.replaceHost(host);
  }

  /** Closes every listener and connection. Safe to call twice. */
  async stop(): Promise<void> {
    const listeners = [...this.untouched.values()].flat();
    await Promise.all([
      ...[...this.servers.values()].map((server) => server.stop()),
      ...listeners.map((listener) => listener.close()),
      this.blackHoles?.close(),
      this.dns?.stop(),
      closed(this.anchor),
    ]);
    this.servers.clear();
    this.untouched.clear();
    this.blackHoles = null;
  }

  /** Called once, by `startLaboratory`. */
  async start({ dnsPort = 0, smtpPort = 0 }: LaboratoryOptions): Promise<void> {
    const ownAddress = this.range.next();
    // Holds the port until the hosts have taken it on their addresses, and for those that do not listen.
    this.port = await listening(this.anchor, ownAddress, smtpPort);
    const hosts = Object.entries(this.world.hosts);
    for (const [name, host] of hosts) this.addresses.set(name, host.address ?? this.range.next());
    // Wait for all, so that none is still starting when one has failed and everything stops.
    const starts = await Promise.allSettled(hosts.map(([name, host]) => this.startHost(name, host)));
    for (const start of starts) if (start.status === 'rejected') throw start.reason;
    await this.openBlackHoles(hosts);
    this.dns = await DnsServer.start(this.resolveHosts(this.dnsData), ownAddress, dnsPort);
  }

  private get running(): DnsServer {
    if (this.dns === null) throw new Error('the laboratory has not been started');
    return this.dns;
  }

  private async startHost(name: string, host: MailHost): Promise<void> {
    const address = this.addressOf(name);
    for (const port of host.untouchedPorts ?? []) await this.listenUntouched(name, address, port);
    if (host.tcp === 'refused' || host.tcp === 'dropped') return;
    const Server = host.server === 'stock' ? StockServer : ScriptedServer;
    const server = new Server(name, host, this.book);
    this.servers.set(name, server);
    await server.listen(address, this.port);
  }

  private async listenUntouched(name: string, address: string, port: number): Promise<void> {
    try {
      const listener = await listenUntouched(address, port);
      this.untouched.set(name, [...this.untouchedListeners(name), listener]);
    } catch (error) {
      // Ordinary users may not open ports below 1024; then there is one listener fewer.
      if (!hasCode(error, 'EACCES')) throw error;
    }
  }

  private async openBlackHoles(hosts: readonly (readonly [string, MailHost])[]): Promise<void> {
    const dropping = hosts.filter(([, host]) => host.tcp === 'dropped').map(([name]) => this.addressOf(name));
    if (dropping.length > 0) this.blackHoles = await BlackHoles.open(dropping, this.port);
  }

  /** The data with the common names, an address record per host, and host names in `A` and `AAAA` replaced. */
  private resolveHosts(data: DnsData): DnsData {
    const resolved: Record<string, DnsEntry> = { ...COMMON_DNS, ...data };
    for (const [name, address] of this.addresses) {
      const entry = resolved[name] ?? {};
      const type = address.includes(':') ? 'AAAA' : 'A';
      const own = entry.A !== undefined || entry.AAAA !== undefined || entry.CNAME !== undefined;
      if (!own) resolved[name] = { ...entry, [type]: [address] };
    }
    for (const [name, { A, AAAA, ...entry }] of Object.entries(resolved)) {
      const address = (value: string): string => this.addresses.get(value) ?? value;
      resolved[name] = { ...entry, ...(A && { A: A.map(address) }), ...(AAAA && { AAAA: AAAA.map(address) }) };
    }
    return resolved;
  }
}

import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { nameOf, type DatabaseHost, type DatabaseTarget } from '../../config/database-url.js';
import { chooseHost, type HostChoice } from './choose-host.js';
import { HostProbe } from './host-probe.js';

const LOOK_EVERY_MS = 500;
/** How long a new connection waits for a host: less than a connection may take to open. */
const WAIT_MS = 2500;
const KEEP_ALIVE_MS = 10_000;

/**
 * The hosts of a database. Leads every connection to the one that can be written to, and ends those to a host that no
 * longer can. Looks at all hosts twice a second while there are connections, on connections of its own.
 */
export class DatabaseHosts {
  /** Goes up when connections go to another host: older ones are replaced when their transaction has ended. */
  moves = 0;
  /** Told of each change, for the log. */
  onChange: (what: { readonly host: string } | { readonly trouble: string }) => void = () => undefined;

  private readonly hosts: ReadonlyMap<string, { readonly host: DatabaseHost; readonly probe: HostProbe }>;
  /** Sockets and the host that each leads to; null: it waits for one. */
  private readonly sockets = new Map<Socket, string | null>();
  private choice: HostChoice = { host: null, trouble: null, leave: [] };
  /** The last host that was chosen. */
  private last: string | null = null;
  /** A connection has ended since the last look: its host may be gone. */
  private inDoubt = true;
  private looking: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;

  constructor(target: DatabaseTarget) {
    this.hosts = new Map(
      [target, ...target.others].map(({ host, port }) => [
        nameOf({ host, port }),
        { host: { host, port }, probe: new HostProbe(target, { host, port }) },
      ]),
    );
  }

  /** A socket that connects once a host is known, or fails with the reason. */
  readonly connect = (): Socket => {
    const socket = new Socket();
    this.sockets.set(socket, null);
    socket.on('close', () => {
      this.sockets.delete(socket);
      this.inDoubt = true;
      this.schedule();
    });
    void this.lead(socket);
    return socket;
  };

  private async lead(socket: Socket): Promise<void> {
    const until = performance.now() + WAIT_MS;
    for (;;) {
      if (this.inDoubt || this.choice.host === null) await this.look();
      if (socket.destroyed) return;
      const { host: name, trouble } = this.choice;
      const chosen = name === null ? undefined : this.hosts.get(name);
      if (chosen !== undefined) {
        this.sockets.set(socket, name);
        socket.connect({ ...chosen.host, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS });
        return;
      }
      if (performance.now() > until) socket.destroy(new NoHost(trouble ?? 'no host has answered'));
      else await delay(LOOK_EVERY_MS / 2);
    }
  }

  /** Looks at all hosts at once. Calls made meanwhile get the same promise. */
  private look(): Promise<void> {
    this.looking ??= this.lookNow().finally(() => {
      this.looking = null;
      this.schedule();
    });
    return this.looking;
  }

  private async lookNow(): Promise<void> {
    this.inDoubt = false;
    const seen = await Promise.all(
      [...this.hosts].map(async ([name, { probe }]) => ({ name, state: await probe.state() })),
    );
    const choice = chooseHost(seen);
    const chosen = seen.find(({ name }) => name === choice.host);
    const isNode = chosen?.state.kind === 'writable' && chosen.state.cluster !== null;
    // What was committed on the last node must be seen on this one.
    if (chosen !== undefined && isNode && chosen.name !== this.last) {
      const caughtUp = await this.hosts.get(chosen.name)!.probe.catchUp();
      if (!caughtUp) return;
    }
    this.follow(choice);
  }

  private follow(choice: HostChoice): void {
    const { trouble } = this.choice;
    this.choice = choice;
    if (choice.host !== null && (choice.host !== this.last || trouble !== null)) this.onChange({ host: choice.host });
    if (choice.trouble !== null && choice.trouble !== trouble) this.onChange({ trouble: choice.trouble });
    if (choice.host !== null && choice.host !== this.last) {
      this.moves++;
      this.last = choice.host;
    }
    const leave = new Set<string | null>(choice.leave);
    for (const [socket, name] of this.sockets) {
      if (leave.has(name)) socket.destroy(new NoHost(choice.trouble ?? `${name} can no longer be written to`));
    }
  }

  /** Looks again and again while there are connections. */
  private schedule(): void {
    if (this.looking !== null) return;
    if (this.sockets.size === 0) {
      clearTimeout(this.timer ?? undefined);
      this.timer = null;
      this.inDoubt = true;
      for (const { probe } of this.hosts.values()) probe.close();
      return;
    }
    this.timer ??= setTimeout(() => {
      this.timer = null;
      void this.look();
    }, LOOK_EVERY_MS).unref();
  }
}

/** No host of the database can be used. Callers treat it like a lost connection. */
class NoHost extends Error {
  readonly code = 'NO_DATABASE_HOST';
  readonly fatal = true;

  constructor(trouble: string) {
    super(`the database cannot be used: ${trouble}`);
    this.name = 'NoHost';
  }
}

const known = new WeakMap<DatabaseTarget, DatabaseHosts>();

/** The hosts that all connections to this target share; null where it has only one, which needs no choice. */
export function hostsOf(target: DatabaseTarget): DatabaseHosts | null {
  if (target.others.length === 0) return null;
  const hosts = known.get(target) ?? new DatabaseHosts(target);
  known.set(target, hosts);
  return hosts;
}

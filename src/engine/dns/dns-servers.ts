import { isIPv4, isIPv6, SocketAddress } from 'node:net';

/** A name server. `address` uses the operating system's spelling, so that it equals a sender's address. */
export interface DnsServer {
  readonly address: string;
  readonly port: number;
}

const DEFAULT_PORT = 53;
const MAX_SERVERS = 8;

/**
 * Parses a comma-separated list of `ip`, `ip:port`, `[ip6]`, `[ip6]:port` or bare `ip6` (DNS_SERVERS). Throws a
 * `RangeError` that names the rule and the position in the list, never the value.
 */
export function parseDnsServers(text: string): DnsServer[] {
  const entries = text.split(',').map((entry) => entry.trim());
  const servers = entries.map((entry, index) => {
    const server = parseEntry(entry);
    if (server === null) throw new RangeError(`entry ${index + 1} must be ip, ip:port or [ip6]:port`);
    return server;
  });
  if (servers.length > MAX_SERVERS) throw new RangeError(`at most ${MAX_SERVERS} servers`);
  return distinct(servers);
}

/** Parses the name servers of a resolv.conf(5), at most three as there. Ignores unknown lines; defaults to this machine. */
export function parseResolvConf(text: string): DnsServer[] {
  const servers = text.split('\n').flatMap((line) => {
    const address = /^\s*nameserver\s+(\S+)/.exec(line)?.[1];
    const server = address === undefined ? null : serverAt(address, DEFAULT_PORT);
    return server === null ? [] : [server];
  });
  const chosen = distinct(servers).slice(0, 3);
  return chosen.length > 0 ? chosen : [{ address: '127.0.0.1', port: DEFAULT_PORT }];
}

/** `127.0.0.1:53`, `[::1]:53`. */
export function formatDnsServer({ address, port }: DnsServer): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

function parseEntry(entry: string): DnsServer | null {
  const bracketed = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(entry);
  if (bracketed !== null) {
    const [, address = '', port] = bracketed;
    return isIPv6(address) ? serverAt(address, portOf(port)) : null;
  }
  if (isIPv6(entry)) return serverAt(entry, DEFAULT_PORT);
  const [, address = '', port] = /^([^:]+)(?::(\d{1,5}))?$/.exec(entry) ?? [];
  return isIPv4(address) ? serverAt(address, portOf(port)) : null;
}

function portOf(digits: string | undefined): number {
  return digits === undefined ? DEFAULT_PORT : Number(digits);
}

function serverAt(address: string, port: number): DnsServer | null {
  if (port < 1 || port > 65_535) return null;
  if (isIPv4(address)) return { address, port };
  if (!isIPv6(address)) return null;
  // A link-local address keeps its zone (`fe80::1%eth0`), without which it is unreachable.
  const [plain = '', zone] = address.split('%');
  const canonical = new SocketAddress({ address: plain, family: 'ipv6' }).address;
  return { address: zone === undefined ? canonical : `${canonical}%${zone}`, port };
}

function distinct(servers: readonly DnsServer[]): DnsServer[] {
  return [...new Map(servers.map((server) => [formatDnsServer(server), server])).values()];
}

import { readFileSync } from 'node:fs';
import { DnsResolver } from '../../engine/dns/dns-resolver.js';
import { parseResolvConf, type DnsServer } from '../../engine/dns/dns-servers.js';
import type { AppConfig } from '../config/app-config.js';

/** The name servers of a process: the configured ones, else those of the machine. */
export function configuredServers({ servers }: Pick<AppConfig['dns'], 'servers'>): readonly DnsServer[] {
  return servers.length > 0 ? servers : systemServers();
}

/** A resolver for one purpose, with a cache of its own. Its owner closes it. */
export function ownResolver(dns: AppConfig['dns'], cacheEntries: number): DnsResolver {
  return new DnsResolver({ servers: configuredServers(dns), timeoutMs: dns.timeoutMs, cacheEntries });
}

/** The default without a resolv.conf is the loopback address (resolv.conf(5)). */
function systemServers(): DnsServer[] {
  try {
    return parseResolvConf(readFileSync('/etc/resolv.conf', 'utf8'));
  } catch {
    return parseResolvConf('');
  }
}

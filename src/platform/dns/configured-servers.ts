import { readFileSync } from 'node:fs';
import { parseResolvConf, type DnsServer } from '../../engine/dns/dns-servers.js';
import type { DnsConfig } from '../config/app-config.js';

/** The name servers a process asks: those it was told, else those of the machine. */
export function configuredServers({ servers }: Pick<DnsConfig, 'servers'>): readonly DnsServer[] {
  return servers.length > 0 ? servers : systemServers();
}

/** Without a resolv.conf it is the one on the loopback address, as resolv.conf(5) says. */
function systemServers(): DnsServer[] {
  try {
    return parseResolvConf(readFileSync('/etc/resolv.conf', 'utf8'));
  } catch {
    return parseResolvConf('');
  }
}

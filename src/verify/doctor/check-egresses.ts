import type { Deadline } from '../../engine/deadline.js';
import { DnsResolver } from '../../engine/dns/dns-resolver.js';
import { MailHostFinder } from '../../engine/dns/mail-host-finder.js';
import { loadEngineConfig } from '../../platform/config/load-config.js';
import { configuredServers } from '../../platform/dns/configured-servers.js';
import { createEgressPool } from '../../platform/egress/egress-pool.js';
import { findNameProblems } from './check-names.js';
import { checkPort } from './check-port.js';
import { checkResolver } from './check-resolver.js';
import type { Finding } from './finding.js';

/** Checks the name servers, and the port and names of each egress. @throws ConfigFault */
export async function checkEgresses(deadline: Deadline): Promise<Finding[]> {
  const { config, secrets } = loadEngineConfig();
  const { dns, smtp } = config;
  const servers = configuredServers(dns);
  const resolver = new DnsResolver({ servers, timeoutMs: dns.timeoutMs, cacheEntries: 100 });
  const finder = new MailHostFinder(resolver, { allowPrivateNetworks: smtp.allowPrivateNetworks });
  const { egresses } = createEgressPool({ ...smtp, entries: secrets.smtpEgress });
  try {
    const ofServers = servers.map((server) => checkResolver(server, dns.timeoutMs, deadline));
    const ofEgresses = egresses.map(async (egress) => {
      const port = await checkPort(egress, { finder, domains: smtp.checkDomains, ...smtp }, deadline);
      // `findPort` runs first: its connection may have shown the source address.
      const findings = [port, ...(await findNameProblems(resolver, egress, deadline))];
      return egresses.length === 1
        ? findings
        : findings.map((one) => ({ ...one, check: `${one.check} (${egress.heloName})` }));
    });
    return (await Promise.all([Promise.all(ofServers), ...ofEgresses])).flat();
  } finally {
    resolver.close();
  }
}

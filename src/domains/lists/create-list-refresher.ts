import { DnsResolver } from '../../engine/dns/dns-resolver.js';
import { loadSignalLists } from '../../engine/signals/load-signal-lists.js';
import type { AppConfig, SmtpConfig } from '../../platform/config/app-config.js';
import { configuredServers } from '../../platform/dns/configured-servers.js';
import { clearance } from '../../platform/egress/clearance.js';
import { HttpsClient } from '../../platform/https/https-client.js';
import { ListFetcher } from './list-fetcher.js';
import { RefreshLists } from './refresh-lists.service.js';
import type { RefreshedListsRepository } from './refreshed-lists.repository.js';

/** A handful of hosts, asked a few times a day. */
const CACHE_ENTRIES = 100;

/** What fetches lists, with the resolver that has to be closed in the end. */
export interface ListRefresher {
  readonly lists: RefreshLists;
  close(): void;
}

/** Builds it from the settings of a process: the same for the worker and the operator command. */
export function createListRefresher(
  { dns, smtp }: Pick<AppConfig, 'dns'> & { readonly smtp: Pick<SmtpConfig, 'allowPrivateNetworks'> },
  rows: RefreshedListsRepository,
): ListRefresher {
  const resolver = new DnsResolver({
    servers: configuredServers(dns),
    timeoutMs: dns.timeoutMs,
    cacheEntries: CACHE_ENTRIES,
  });
  const cleared = clearance(smtp.allowPrivateNetworks);
  const https = new HttpsClient({ port: 443, clearance: cleared });
  const fetcher = new ListFetcher({ resolver, https, clearance: cleared });
  return { lists: new RefreshLists({ rows, fetcher, shipped: loadSignalLists() }), close: () => resolver.close() };
}

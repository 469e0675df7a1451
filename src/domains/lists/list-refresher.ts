import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { DnsResolver } from '../../engine/dns/dns-resolver.js';
import { loadSignalLists } from '../../engine/signals/load-signal-lists.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { ownResolver } from '../../platform/dns/configured-servers.js';
import { clearance } from '../../platform/egress/clearance.js';
import { HttpsClient } from '../../platform/https/https-client.js';
import { ListFetcher } from './list-fetcher.js';
import { RefreshLists } from './refresh-lists.service.js';
import { RefreshedListsRepository } from './refreshed-lists.repository.js';

/** The part of the configuration that commands also load. */
type FetchConfig = Pick<AppConfig, 'dns'> & { readonly smtp: Pick<AppConfig['smtp'], 'allowPrivateNetworks'> };

/** A process fetches from a few hosts, a few times a day. */
const CACHE_ENTRIES = 100;

/** Refreshes lists with a DNS resolver of its own. The worker injects it; the operator command constructs and closes it. */
@Injectable()
export class ListRefresher implements OnApplicationShutdown {
  readonly lists: RefreshLists;
  private readonly resolver: DnsResolver;

  constructor(@Inject(AppConfig) { dns, smtp }: FetchConfig, rows: RefreshedListsRepository) {
    const resolver = (this.resolver = ownResolver(dns, CACHE_ENTRIES));
    const https = new HttpsClient({ resolver, clearance: clearance(smtp.allowPrivateNetworks) });
    this.lists = new RefreshLists(rows, new ListFetcher(https), loadSignalLists());
  }

  close(): void {
    this.resolver.close();
  }

  onApplicationShutdown(): void {
    this.close();
  }
}

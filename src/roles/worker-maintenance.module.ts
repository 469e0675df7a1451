import { Module } from '@nestjs/common';
import { BillingMaintenanceModule } from '../billing/billing-maintenance.module.js';
import { ListsRepository } from '../console/lists/lists.repository.js';
import { ExpiredAccessRepository } from '../console/session/expired-access.repository.js';
import { DomainsMaintenanceModule } from '../domains/domains-maintenance.module.js';
import { GuardEventsRepository } from '../guard/events/guard-events.repository.js';
import { JobStoreModule } from '../jobs/job-store.module.js';
import { MaintenanceModule } from '../platform/queues/maintenance.module.js';
import { CacheModule } from '../verify/cache/cache.module.js';
import { OldDeliveriesRepository } from '../webhooks/upkeep/old-deliveries.repository.js';

/** Serves the `maintenance` queue: every `MaintenanceTask` and `@PurgeEvery()` in these modules is scheduled. */
@Module({
  imports: [BillingMaintenanceModule, CacheModule, DomainsMaintenanceModule, JobStoreModule, MaintenanceModule],
  providers: [ExpiredAccessRepository, GuardEventsRepository, ListsRepository, OldDeliveriesRepository],
})
export class WorkerMaintenanceModule {}

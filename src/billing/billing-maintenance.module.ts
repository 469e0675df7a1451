import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Metrics } from '../platform/metrics/metrics.js';
import { IdempotencyRepository } from './idempotency/idempotency.repository.js';
import { LedgerAuditRepository } from './ledger/ledger-audit.repository.js';
import { LedgerClosingRepository } from './ledger/ledger-closing.repository.js';
import { showAudits } from './ledger/audit-metrics.js';
import { ExpiredAnswersTask } from './idempotency/expired-answers.task.js';
import { LedgerAuditTask } from './ledger/ledger-audit.task.js';
import { LedgerClosingTask } from './ledger/ledger-closing.task.js';

/** What billing has done in the background, for the worker. Needs `DatabaseModule` and `MetricsModule`. */
@Module({
  providers: [
    ExpiredAnswersTask,
    IdempotencyRepository,
    LedgerClosingRepository,
    LedgerClosingTask,
    {
      provide: LedgerAuditTask,
      inject: [DataSource, Metrics],
      useFactory: (dataSource: DataSource, { registry }: Metrics) =>
        new LedgerAuditTask({ ledger: new LedgerAuditRepository(dataSource), ...showAudits(registry) }),
    },
  ],
  exports: [ExpiredAnswersTask, LedgerAuditTask, LedgerClosingTask],
})
export class BillingMaintenanceModule {}

import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { IdempotencyRepository } from './idempotency/idempotency.repository.js';
import { LedgerClosingRepository } from './ledger/ledger-closing.repository.js';
import { ExpiredAnswersTask } from './maintenance/expired-answers.task.js';
import { LedgerClosingTask } from './maintenance/ledger-closing.task.js';

/** What billing has done in the background, for the worker. Needs `DatabaseModule`. */
@Module({
  providers: [
    {
      provide: ExpiredAnswersTask,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => new ExpiredAnswersTask(new IdempotencyRepository(dataSource)),
    },
    {
      provide: LedgerClosingTask,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => new LedgerClosingTask(new LedgerClosingRepository(dataSource)),
    },
  ],
  exports: [ExpiredAnswersTask, LedgerClosingTask],
})
export class BillingMaintenanceModule {}

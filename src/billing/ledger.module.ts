import { Logger, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { LedgerRepository } from './ledger/ledger.repository.js';
import { WaitingChargesRepository } from './waiting/waiting-charges.repository.js';

const logger = new Logger('Billing');

/** The ledger for features that move money in transactions of their own, in any role. Needs `DatabaseModule`. */
@Module({
  providers: [
    {
      provide: LedgerRepository,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => new LedgerRepository(dataSource),
    },
    {
      provide: WaitingChargesRepository,
      inject: [LedgerRepository],
      useFactory: (ledger: LedgerRepository) =>
        new WaitingChargesRepository(ledger, { onTrouble: (what) => logger.error(what) }),
    },
  ],
  exports: [LedgerRepository, WaitingChargesRepository],
})
export class LedgerModule {}

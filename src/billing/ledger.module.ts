import { Logger, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Metrics } from '../platform/metrics/metrics.js';
import { DATABASE_NOW } from './ledger/balance-rows.repository.js';
import { countLedger } from './ledger/ledger-metrics.js';
import { LedgerRepository } from './ledger/ledger.repository.js';
import { WaitingChargesRepository } from './pending-charges/waiting-charges.repository.js';

/** One for all ways that money is moved; undefined where nobody counts. */
export const LEDGER_COUNTER = Symbol('what is told of rows of the ledger');
export type LedgerCounter = ReturnType<typeof countLedger>;

const logger = new Logger('Billing');

/** The ledger for features that move money in transactions of their own, in any role. Needs `DatabaseModule`. */
@Module({
  providers: [
    {
      provide: LEDGER_COUNTER,
      inject: [{ token: Metrics, optional: true }],
      useFactory: (metrics?: Metrics): LedgerCounter | undefined => metrics && countLedger(metrics.registry),
    },
    {
      provide: LedgerRepository,
      inject: [DataSource, LEDGER_COUNTER],
      useFactory: (dataSource: DataSource, onEntries?: LedgerCounter) =>
        new LedgerRepository(dataSource, DATABASE_NOW, onEntries),
    },
    {
      provide: WaitingChargesRepository,
      inject: [LedgerRepository],
      useFactory: (ledger: LedgerRepository) =>
        new WaitingChargesRepository(ledger, { onTrouble: (what) => logger.error(what) }),
    },
  ],
  exports: [LEDGER_COUNTER, LedgerRepository, WaitingChargesRepository],
})
export class LedgerModule {}

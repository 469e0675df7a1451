import { Module } from '@nestjs/common';
import { LedgerSumsRepository } from './ledger-sums.repository.js';
import { StatementRepository } from './statement.repository.js';

/** Reads ledgers for people. Needs `DatabaseModule`. */
@Module({
  providers: [LedgerSumsRepository, StatementRepository],
  exports: [LedgerSumsRepository, StatementRepository],
})
export class StatementModule {}

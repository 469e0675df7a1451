import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { LedgerChunkEntity } from './ledger-chunk.entity.js';
import { LedgerDayEntity } from './ledger-day.entity.js';
import { LedgerSumsRepository } from './ledger-sums.repository.js';
import { StatementRepository } from './statement.repository.js';

/** Reads ledgers for people. Needs `DatabaseModule`. */
@Module({
  imports: [TypeOrmModule.forFeature([LedgerChunkEntity, LedgerDayEntity])],
  providers: [LedgerSumsRepository, StatementRepository],
  exports: [LedgerSumsRepository, StatementRepository],
})
export class StatementModule {}

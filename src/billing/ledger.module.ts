import { Module } from '@nestjs/common';
import { LedgerMetrics } from './ledger/ledger-metrics.js';
import { LedgerRepository } from './ledger/ledger.repository.js';
import { WaitingChargesRepository } from './pending-charges/waiting-charges.repository.js';

const PROVIDERS = [LedgerMetrics, LedgerRepository, WaitingChargesRepository];

/** The ledger, for features of any process role that move money in their own transactions. Needs `DatabaseModule`. */
@Module({ providers: PROVIDERS, exports: PROVIDERS })
export class LedgerModule {}

import { Module } from '@nestjs/common';
import { EgressReports } from '../../platform/egress/egress-reports.js';
import { EgressReporter } from './egress-reporter.js';
import { EngineModule } from './engine.module.js';

/** For processes that probe: they say how their egresses are. Needs `RedisModule`. */
@Module({ imports: [EngineModule], providers: [EgressReporter, EgressReports] })
export class EgressReportModule {}

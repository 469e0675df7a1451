import { Injectable, Logger } from '@nestjs/common';
import { AppConfig } from '../../platform/config/app-config.js';
import { EgressReports } from '../../platform/egress/egress-reports.js';
import { withinDeadline } from '../../platform/scheduling/within-deadline.js';
import { PeriodicTask } from '../../platform/scheduling/periodic-task.js';
import { EngineProvider } from './engine-provider.js';

const EVERY_MS = 15_000;
const ANSWER_WITHIN_MS = 2000;

/** Tells the operator's area what this process knows of its egresses. */
@Injectable()
export class EgressReporter extends PeriodicTask {
  protected readonly logger = new Logger('Egress');
  protected readonly failureMessage = 'the state of the egresses could not be written';

  constructor(
    private readonly config: AppConfig,
    private readonly engine: EngineProvider,
    private readonly reports: EgressReports,
  ) {
    super(EVERY_MS);
  }

  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await withinDeadline(this.reports.end(), ANSWER_WITHIN_MS).catch(() => undefined);
  }

  protected runOnce(): Promise<void> {
    return withinDeadline(this.reports.write(this.config.role, this.engine.egressStates), ANSWER_WITHIN_MS);
  }
}

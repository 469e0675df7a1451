import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AccountPagesModule } from '../console/account-pages.module.js';
import { AdminModule } from '../console/admin/admin.module.js';
import { ConsoleDocumentController } from '../console/openapi/console-document.controller.js';
import { ConsoleModule } from '../console/console.module.js';
import type { Settings } from '../platform/config/load-config.js';
import type { Log } from '../platform/logging/log.js';
import { MetricsListenerModule } from '../platform/metrics-endpoint/metrics.module.js';
import { OpenApiModule } from '../platform/openapi/openapi.module.js';
import { describeConsole } from './console-description.js';
import { createProcess } from './create-process.js';

/** The account console: its page and the API behind it. Stateless, so any number may run. */
export async function createConsole(settings: Settings, log?: Log): Promise<NestFastifyApplication> {
  const app: NestFastifyApplication = await createProcess(settings, log, 'module', [
    MetricsListenerModule,
    ConsoleModule,
    AccountPagesModule,
    AdminModule,
    OpenApiModule.of(ConsoleDocumentController, () => describeConsole(app)),
  ]);
  return app;
}

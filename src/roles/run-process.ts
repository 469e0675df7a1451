import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Role } from '../platform/config/app-config.js';
import { ConfigFault } from '../platform/config/config-fault.js';
import { loadConfig, type Settings } from '../platform/config/load-config.js';
import { isLocalName } from '../platform/config/default-helo-name.js';
import { createLog, type Log } from '../platform/logging/log.js';
import { MetricsListener } from '../platform/metrics-endpoint/metrics-listener.js';
import { startTracing } from '../platform/tracing/start-tracing.js';
import { stopOnSignals } from './stop-on-signals.js';

/**
 * Connections that the kernel holds until they are taken. With Node's 511, thousands of clients that connect at once keep a probe of
 * health waiting for seconds, until its own connection is tried again.
 */
const BACKLOG = 4096;

/**
 * The life of a long-running process: configuration, start, listen, signals. A wrong environment ends it with one line
 * per fault on stderr; anything else that keeps it from starting ends it with one line in the log. Exit code 1 both.
 */
export async function runProcess(
  role: Exclude<Role, 'cli'>,
  create: (settings: Settings, log: Log) => Promise<NestFastifyApplication>,
): Promise<void> {
  const settings = settingsOf(role);
  if (settings === null) return;
  const { http, logging, shutdown, smtp, tracing, worker } = settings.config;
  const log = createLog(logging.level);
  const probes = role === 'api' || worker.queues.includes('smtp-probe');
  if (probes && isLocalName(smtp.heloName)) {
    log.warn({ heloName: smtp.heloName }, 'mail hosts will not believe this name: set SMTP_HELO_NAME');
  }
  // An address may stand in the message of whatever was not caught: it goes through the log, not to stderr.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught');
    process.exit(1);
  });
  try {
    await startTracing(tracing);
    const app = await create(settings, log);
    // Nobody sends requests to a worker: it has no balancer to wait for.
    stopOnSignals(app, role === 'api' ? shutdown : { ...shutdown, delayMs: 0 }, log);
    await app.listen({ host: http.host, port: http.port, backlog: BACKLOG });
    if (role === 'api') app.get(MetricsListener, { strict: false }).start();
    log.info({ role, host: http.host, port: (app.getHttpServer().address() as { port: number }).port }, 'listening');
  } catch (error) {
    log.fatal({ err: error }, 'cannot start');
    process.exit(1);
  }
}

function settingsOf(role: Role): Settings | null {
  try {
    return loadConfig(role);
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    process.stderr.write(`${error.lines.join('\n')}\n`);
    process.exitCode = 1;
    return null;
  }
}

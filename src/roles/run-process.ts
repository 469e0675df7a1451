import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Role } from '../platform/config/variable-reader.js';
import { ConfigFault } from '../platform/config/config-fault.js';
import { loadConfig, type Settings } from '../platform/config/load-config.js';
import { isLocalName } from '../platform/config/default-helo-name.js';
import { createLog, type Log } from '../platform/logging/log.js';
import { MetricsListener } from '../platform/metrics-endpoint/metrics-listener.js';
import { startTracing } from '../platform/tracing/start-tracing.js';
import { startFault } from './start-fault.js';
import { stopOnSignals } from './stop-on-signals.js';
import { usesHeloName } from './uses-helo-name.js';

/**
 * Connections the kernel queues until they are accepted. With Node's 511, thousands of simultaneous clients delay a
 * health check for seconds, until its connection is retried.
 */
const BACKLOG = 4096;

/**
 * Runs a long-running process: configuration, start, listen, signals. An invalid environment prints one line per fault
 * on stderr, and so does a place where it cannot listen, or a variable that a server refuses; any start failure after that logs one line. Both exit with code 1.
 */
export async function runProcess(
  role: Exclude<Role, 'cli'>,
  create: (settings: Settings, log: Log) => Promise<NestFastifyApplication>,
): Promise<void> {
  const settings = settingsOf(role);
  if (settings === null) return;
  const { http, logging, shutdown, smtp, tracing } = settings.config;
  const log = createLog(logging.level);
  if (usesHeloName(settings) && isLocalName(smtp.heloName)) {
    log.warn({ heloName: smtp.heloName }, 'mail hosts will not believe this name: set SMTP_HELO_NAME');
  }
  // The message of an uncaught error may contain an address: log it instead of writing it to stderr.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught');
    process.exit(1);
  });
  try {
    await startTracing(tracing);
    const app = await create(settings, log);
    // A worker has no balancer to wait for.
    stopOnSignals(app, role === 'worker' ? { ...shutdown, delayMs: 0 } : shutdown, log);
    await app.listen({ host: http.host, port: http.port, backlog: BACKLOG });
    if (role !== 'worker') app.get(MetricsListener, { strict: false }).start();
    log.info({ role, host: http.host, port: (app.getHttpServer().address() as { port: number }).port }, 'listening');
  } catch (error) {
    const fault = startFault(role, error);
    if (fault !== null) process.stderr.write(`${fault}\n`);
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

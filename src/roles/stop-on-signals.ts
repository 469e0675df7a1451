import type { INestApplication } from '@nestjs/common';
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { AppConfig } from '../platform/config/app-config.js';
import { ProcessState } from '../platform/process/process-state.js';
import type { Log } from '../platform/logging/log.js';
import { tracing } from '../platform/tracing/tracing.js';

type StopSignal = 'SIGTERM' | 'SIGINT' | 'SIGHUP';

/**
 * SIGTERM: readiness fails at once, the process serves on for `delayMs` so that balancers notice, then takes no new
 * work and finishes its own within `graceMs`. SIGINT: the same without the delay, since a person waits. SIGHUP, of a
 * terminal that closes: as SIGTERM, and it may come twice. Any other second signal exits at once. Another process picks
 * up unfinished work, so the exit code is 0 even when the grace runs out.
 */
export function stopOnSignals(app: INestApplication, { delayMs, graceMs }: AppConfig['shutdown'], log: Log): void {
  let stopping = false;
  const onSignal = (signal: StopSignal) => {
    // A terminal's line and its shell each send one.
    if (stopping && signal === 'SIGHUP') return;
    if (stopping) process.exit(128 + constants.signals[signal]);
    stopping = true;
    log.info({ signal }, 'stopping');
    app.get(ProcessState).beginStop();
    void stop(app, signal === 'SIGINT' ? 0 : delayMs, graceMs, log);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  process.on('SIGHUP', onSignal);
}

/** Share of the remaining grace, after everything else is done. */
const LAST_SPANS_SHARE = 0.5;
const LAST_SPANS_MS = 5000;

async function stop(app: INestApplication, delayMs: number, graceMs: number, log: Log): Promise<never> {
  await delay(delayMs);
  const graceEnds = performance.now() + graceMs;
  setTimeout(() => {
    log.warn({ graceMs }, 'stopped with work in flight');
    process.exit(0);
  }, graceMs);
  try {
    await app.close();
    const leftMs = Math.max(0, graceEnds - performance.now());
    await tracing()?.stop(Math.min(LAST_SPANS_MS, leftMs * LAST_SPANS_SHARE));
    log.info('stopped');
    return process.exit(0);
  } catch (error) {
    log.error({ err: error }, 'stopped with an error');
    return process.exit(1);
  }
}

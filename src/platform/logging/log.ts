import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';
import type { LogLevel } from '../config/log-level.js';
import { errorFields } from './error-fields.js';
import { logContext, type LogContext } from './log-context.js';
import { scrub } from './scrub.js';
import { stdoutByTurn } from './stdout-by-turn.js';
import { tracing } from '../tracing/tracing.js';

export type Log = PinoLogger;

/**
 * The log of a process: one JSON object per line, on stdout except in tests. Created once; features write through
 * Nest's `Logger`, with errors under `err`.
 */
export function createLog(level: LogLevel, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    mixin: fieldsOfContext,
    serializers: { err: (thrown: unknown) => errorFields(thrown) },
    hooks: { streamWrite: scrub },
  };
  return pino(options, destination ?? (stdout ??= stdoutByTurn()));
}

/** All logs of a process share it: it is written to once more when the process ends. */
let stdout: DestinationStream | null = null;

let shownMs = 0;
let shown = '';

/** Like `pino.stdTimeFunctions.isoTime`, but formatted once per millisecond. */
function isoTime(): string {
  const now = Date.now();
  if (now !== shownMs) {
    shownMs = now;
    shown = `,"time":"${new Date(now).toISOString()}"`;
  }
  return shown;
}

function fieldsOfContext(): LogContext {
  const traced = tracing();
  return traced === null ? logContext() : { ...logContext(), ...traced.logFields() };
}

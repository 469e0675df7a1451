import type { LoggerService } from '@nestjs/common';
import type { Log } from './log.js';

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

/** Nest's startup messages: one line per module and route. */
const NARRATORS = new Set(['InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestFactory', 'NestApplication']);

/**
 * Connects Nest's logger to ours. `logger.warn({ err, ms }, 'slow statement')` and `logger.warn('slow statement')`
 * both work: Nest passes the logger's context as the last argument.
 */
export class NestLog implements LoggerService {
  readonly fatal = this.at('fatal');
  readonly error = this.at('error');
  readonly warn = this.at('warn');
  readonly debug = this.at('debug');
  readonly verbose = this.at('trace');

  constructor(private readonly target: Log) {}

  log(message: unknown, ...rest: unknown[]): void {
    const narrates = NARRATORS.has(String(rest.at(-1)));
    this.write(narrates ? 'debug' : 'info', message, rest);
  }

  private at(level: Level): (message: unknown, ...rest: unknown[]) => void {
    return (message, ...rest) => this.write(level, message, rest);
  }

  private write(level: Level, message: unknown, rest: readonly unknown[]): void {
    if (!this.target.isLevelEnabled(level)) return;
    const context = rest.at(-1);
    const detail = rest.length > 1 ? rest[0] : undefined;
    if (message instanceof Error) {
      this.target[level]({ context, err: message }, message.message);
    } else if (typeof message === 'object' && message !== null) {
      this.target[level]({ context, ...message }, typeof detail === 'string' ? detail : undefined);
    } else {
      // Nest passes its own errors as (message, stack, context).
      this.target[level]({ context, ...(typeof detail === 'string' ? { stack: detail } : {}) }, String(message));
    }
  }
}

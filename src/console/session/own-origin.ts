import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AppConfig } from '../../platform/config/app-config.js';
import { isLoopbackName } from '../../platform/config/console-urls.js';
import { AppError } from '../../platform/errors/app-error.js';

const READS = new Set(['GET', 'HEAD']);

/**
 * Keeps other sites from acting with a user's cookie: a write needs the `Origin` of our own page, and what the browser
 * says of the sender where it says so.
 */
@Injectable()
export class OwnOrigin {
  constructor(private readonly config: AppConfig) {}

  /** True if browsers reach the console by TLS: cookies then are `Secure`. */
  get isSecure(): boolean {
    return this.config.console.origin?.startsWith('https:') === true;
  }

  /** @throws AppError `forbidden` for a write that does not come from our page */
  check({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): void {
    if (READS.has(method)) return;
    const site = headers['sec-fetch-site'];
    if (headers.origin !== undefined && headers.origin === this.originFor(headers.host)) {
      if (site === undefined || site === 'same-origin') return;
    }
    throw new AppError('forbidden', 'The request does not come from a page of the console: its Origin is another one.');
  }

  /**
   * The origin of our page, as the browser sees it. Without `CONSOLE_ORIGIN` a browser of this machine is served under each of its
   * names, and by any port that leads here.
   */
  originFor(host: string | undefined): string | null {
    const { origin } = this.config.console;
    if (origin !== null) return origin;
    const address = `http://${host ?? ''}`;
    if (!URL.canParse(address)) return null;
    const url = new URL(address);
    return isLoopbackName(url.hostname) && url.host === host ? url.origin : null;
  }
}

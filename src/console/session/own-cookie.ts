import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OwnOrigin } from './own-origin.js';

/**
 * A cookie that no script reads and no other site sends along with a write. Browsers refuse the prefix and `Secure` over plain
 * http.
 */
export abstract class OwnCookie {
  protected constructor(
    private readonly origin: OwnOrigin,
    private readonly base: string,
  ) {}

  clear(reply: FastifyReply): void {
    this.write(reply, '', 0);
  }

  /** @param maxAgeSeconds after which the browser forgets it */
  protected write(reply: FastifyReply, value: string, maxAgeSeconds: number): void {
    const secure = this.origin.isSecure ? '; Secure' : '';
    const line = `${this.name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
    void reply.header('set-cookie', line);
  }

  /** Null without one, and with two, of which nobody knows which is ours. */
  protected valueIn({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
    const start = `${this.name}=`;
    const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
    const found = pairs.filter((pair) => pair.startsWith(start));
    return found.length === 1 ? found[0]!.slice(start.length) : null;
  }

  private get name(): string {
    return this.origin.isSecure ? `__Host-${this.base}` : this.base;
  }
}

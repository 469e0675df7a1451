import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieLine, cookieNamed } from './cookies.js';
import { OwnOrigin } from './own-origin.js';
import { hashToken } from './token.js';

/** The cookie that holds the token of a session. Browsers refuse the prefix and `Secure` over plain http. */
@Injectable()
export class SessionCookie {
  constructor(private readonly origin: OwnOrigin) {}

  private get name(): string {
    return this.origin.isSecure ? '__Host-mailvet' : 'mailvet';
  }

  /** SHA-256 of the token that came with a request, in hex; null: none came. */
  read({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
    const token = cookieNamed(this.name, headers.cookie);
    return token === null ? null : hashToken(token);
  }

  /** @param maxAgeSeconds after which the browser forgets it */
  set(reply: FastifyReply, token: string, maxAgeSeconds: number): void {
    void reply.header('set-cookie', this.line(token, maxAgeSeconds));
  }

  clear(reply: FastifyReply): void {
    void reply.header('set-cookie', this.line('', 0));
  }

  private line(value: string, maxAgeSeconds: number): string {
    return cookieLine(this.name, value, { maxAgeSeconds, isSecure: this.origin.isSecure });
  }
}

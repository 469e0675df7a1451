import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OwnCookie } from './own-cookie.js';
import { OwnOrigin } from './own-origin.js';
import { hashToken } from './token.js';

/** The cookie that holds the token of a session. */
@Injectable()
export class SessionCookie extends OwnCookie {
  constructor(origin: OwnOrigin) {
    super(origin, 'mailvet');
  }

  /** SHA-256 of the token that came with a request, in hex; null: none came. */
  read(request: Pick<FastifyRequest, 'headers'>): string | null {
    const token = this.valueIn(request);
    return token === null ? null : hashToken(token);
  }

  set(reply: FastifyReply, token: string, maxAgeSeconds: number): void {
    this.write(reply, token, maxAgeSeconds);
  }
}

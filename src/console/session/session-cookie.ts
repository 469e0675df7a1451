import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash, randomBytes } from 'node:crypto';
import { OwnOrigin } from './own-origin.js';

const TOKEN_OCTETS = 32;
const TOKEN = /^[\w-]{43}$/;

/** A new token of a session or a link: 256 bits that nobody can guess. */
export function newToken(): string {
  return randomBytes(TOKEN_OCTETS).toString('base64url');
}

/** All that is stored of a token, in hex; null for text that is none. */
export function hashToken(token: string): string | null {
  return TOKEN.test(token) ? createHash('sha256').update(token).digest('hex') : null;
}

/** The cookie that holds the token of a session. Browsers refuse the prefix and `Secure` over plain http. */
@Injectable()
export class SessionCookie {
  constructor(private readonly origin: OwnOrigin) {}

  private get name(): string {
    return this.origin.isSecure ? '__Host-mailvet' : 'mailvet';
  }

  /** SHA-256 of the token that came with a request, in hex; null: none came. */
  read({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
    const start = `${this.name}=`;
    const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
    const found = pairs.filter((pair) => pair.startsWith(start));
    // With two of the name nobody knows which is ours.
    return found.length === 1 ? hashToken(found[0]!.slice(start.length)) : null;
  }

  /** @param maxAgeSeconds after which the browser forgets it */
  set(reply: FastifyReply, token: string, maxAgeSeconds: number): void {
    void reply.header('set-cookie', this.line(token, maxAgeSeconds));
  }

  clear(reply: FastifyReply): void {
    void reply.header('set-cookie', this.line('', 0));
  }

  private line(value: string, maxAgeSeconds: number): string {
    const secure = this.origin.isSecure ? '; Secure' : '';
    return `${this.name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`;
  }
}

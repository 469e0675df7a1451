import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieLine, cookieNamed } from '../session/cookies.js';
import { OwnOrigin } from '../session/own-origin.js';
import type { SignInSecrets } from './provider.js';

const LIFE_SECONDS = 600;

/** Ties the answer of the provider to the browser that was sent there. */
@Injectable()
export class OidcCookie {
  constructor(private readonly origin: OwnOrigin) {}

  private get name(): string {
    return this.origin.isSecure ? '__Host-mailvet-oidc' : 'mailvet-oidc';
  }

  set(reply: FastifyReply, secrets: SignInSecrets): void {
    const value = Buffer.from(JSON.stringify(secrets)).toString('base64url');
    void reply.header('set-cookie', this.line(value, LIFE_SECONDS));
  }

  clear(reply: FastifyReply): void {
    void reply.header('set-cookie', this.line('', 0));
  }

  /** Null: the browser was not sent to the provider from here, or too long ago. */
  read({ headers }: Pick<FastifyRequest, 'headers'>): SignInSecrets | null {
    const value = cookieNamed(this.name, headers.cookie);
    if (value === null) return null;
    try {
      const { state, nonce, verifier } = JSON.parse(Buffer.from(value, 'base64url').toString()) as SignInSecrets;
      return [state, nonce, verifier].every((text) => typeof text === 'string') ? { state, nonce, verifier } : null;
    } catch {
      return null;
    }
  }

  private line(value: string, maxAgeSeconds: number): string {
    return cookieLine(this.name, value, { maxAgeSeconds, isSecure: this.origin.isSecure });
  }
}

import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OwnCookie } from '../session/own-cookie.js';
import { OwnOrigin } from '../session/own-origin.js';
import type { SignInSecrets } from './provider.js';

const LIFE_SECONDS = 600;

/** Ties the answer of the provider to the browser that was sent there. */
@Injectable()
export class OidcCookie extends OwnCookie {
  constructor(origin: OwnOrigin) {
    super(origin, 'mailvet-oidc');
  }

  set(reply: FastifyReply, secrets: SignInSecrets): void {
    this.write(reply, Buffer.from(JSON.stringify(secrets)).toString('base64url'), LIFE_SECONDS);
  }

  /** Null: the browser was not sent to the provider from here, or too long ago. */
  read(request: Pick<FastifyRequest, 'headers'>): SignInSecrets | null {
    const value = this.valueIn(request);
    if (value === null) return null;
    try {
      const { state, nonce, verifier } = JSON.parse(Buffer.from(value, 'base64url').toString()) as SignInSecrets;
      return [state, nonce, verifier].every((text) => typeof text === 'string') ? { state, nonce, verifier } : null;
    } catch {
      return null;
    }
  }
}

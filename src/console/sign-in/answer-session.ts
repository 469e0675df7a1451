import type { FastifyReply } from 'fastify';
import type { SessionCookie } from '../session/session-cookie.js';
import type { BegunSession } from '../session/sessions.service.js';
import type { SignInResponse } from './sign-in.response.js';

/** Hands a new session to its browser. */
export function answerSession(
  cookie: SessionCookie,
  reply: FastifyReply,
  { stage, token, lifeSeconds }: BegunSession,
): SignInResponse {
  cookie.set(reply, token, lifeSeconds);
  return { status: stage === 'full' ? 'signed_in' : 'code_required' };
}

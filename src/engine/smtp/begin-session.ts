import type { Socket } from 'node:net';
import type { Trace } from '../trace.js';
import { SmtpConnection } from './connection.js';
import type { Egress } from './egress.js';
import type { SessionContext } from './judge-recipient.js';
import type { MailProvider } from './provider.js';
import { SmtpSession, type StepLimit } from './session.js';

export interface SessionSetting {
  /** Name of the mail host. */
  readonly host: string;
  readonly provider: MailProvider | null;
  readonly egress: Egress;
  /** Ends every wait. */
  readonly signal: AbortSignal;
  readonly limit: StepLimit;
  readonly trace: Trace | undefined;
}

/**
 * Starts a session on a connected socket, which the session owns from now on. @returns the session and its context for
 * the classifier
 */
export function beginSession(
  socket: Socket,
  { host, provider, egress, signal, limit, trace }: SessionSetting,
): { readonly session: SmtpSession; readonly context: SessionContext } {
  const session = new SmtpSession(new SmtpConnection(socket, host, signal, trace), egress, limit);
  const ownNames = [egress.heloName, egress.mailFrom, socket.localAddress ?? ''].filter((name) => name !== '');
  return { session, context: { ownNames, provider: provider?.id ?? null } };
}

import type { FastifyRequest } from 'fastify';
import type { Plan } from '../../auth/caller.js';
import type { Actor } from '../../platform/audit/audit-log.repository.js';
import { clientAddress } from './client-address.js';
import type { MemberRole } from '../people/role.js';

/** The signed-in user. */
export interface ConsoleUser {
  readonly id: string;
  readonly email: string;
  readonly isOperator: boolean;
  readonly sessionId: string;
}

/** The account in the path of a request. */
export interface ConsoleAccount {
  readonly id: string;
  readonly name: string;
  readonly isSuspended: boolean;
}

/** Who makes a request about an account. */
export interface ConsoleCaller {
  readonly user: ConsoleUser;
  readonly account: ConsoleAccount;
  readonly role: MemberRole;
  readonly plan: Plan;
}

declare module '../../platform/http/request-context.js' {
  interface RequestContext {
    /** Set by the session gate; absent without a session. */
    consoleUser?: ConsoleUser;
    /** Set by the session gate on routes of an account that the user is a member of. */
    consoleCaller?: ConsoleCaller;
  }
}

/** Returns the signed-in user, on routes that need a session. */
export function consoleUserOf({ context: { consoleUser } }: FastifyRequest): ConsoleUser {
  if (consoleUser === undefined) throw new Error('the route serves requests without a session');
  return consoleUser;
}

/** User, account, role and plan, on routes with `@AccountRole()`. */
export function consoleCallerOf({ context: { consoleCaller } }: FastifyRequest): ConsoleCaller {
  if (consoleCaller === undefined) throw new Error('the route has no @AccountRole()');
  return consoleCaller;
}

/** Returns the signed-in user as the audit log names them. */
export function actorOf(request: FastifyRequest): Actor {
  return { name: `user:${consoleUserOf(request).id}`, address: clientAddress(request) };
}

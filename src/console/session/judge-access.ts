import { AppError } from '../../platform/errors/app-error.js';
import { noSuch } from '../../platform/ids/path-id.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import { mayActAs, MEMBER_ROLES, type MemberRole } from '../people/role.js';
import type { Access } from './access.js';
import './console-caller.js';

export function isMemberRole(access: Access | undefined): access is MemberRole {
  return (MEMBER_ROLES as readonly (Access | undefined)[]).includes(access);
}

/**
 * Why a request may not call a route; null when it may.
 * @param access what the route needs; undefined: it does not say
 * @param stage of the request's session; null: it has none
 */
export function refusalOf(
  access: Access | undefined,
  { consoleUser, consoleCaller }: Pick<RequestContext, 'consoleUser' | 'consoleCaller'>,
  stage: 'code' | 'full' | null,
): AppError | null {
  if (access === undefined) return unopenedRoute();
  if (access === 'anybody') return null;
  if (consoleUser === undefined || stage !== (access === 'half_session' ? 'code' : 'full')) {
    return new AppError('unauthorized', 'You are not signed in, or your session has ended.');
  }
  if (access === 'operator') {
    return consoleUser.isOperator ? null : new AppError('forbidden', 'This is for operators of the service.');
  }
  if (!isMemberRole(access)) return null;
  if (consoleCaller === undefined) return noSuch('account');
  return mayActAs(consoleCaller.role, access)
    ? null
    : new AppError('forbidden', `This needs the role ${access}; yours is ${consoleCaller.role}.`);
}

/** A fault of ours, and so no 403. */
function unopenedRoute(): AppError {
  return new AppError('internal_error', 'The request could not be served.', {
    cause: new Error('a route of the console does not say who may call it'),
  });
}

import { MEMBER_ROLES, type MemberRole } from '../people/role.js';
import type { Access } from './access.js';
import type { ConsoleCaller, ConsoleUser } from './console-caller.js';
import { refusalOf } from './judge-access.js';

const user = (isOperator: boolean): ConsoleUser => ({ id: 'u', email: '', isOperator, sessionId: 's' });
const member = (role: MemberRole) => ({
  consoleUser: user(false),
  consoleCaller: { user: user(false), role } as ConsoleCaller,
});
const codeOf = (access: Access | undefined, context: Parameters<typeof refusalOf>[1], stage: 'code' | 'full' | null) =>
  refusalOf(access, context, stage)?.code ?? null;

it.each(MEMBER_ROLES)('a route for the role %s is open to it and to those above it', (needed) => {
  const open = MEMBER_ROLES.filter((role) => codeOf(needed, member(role), 'full') === null);
  expect(open).toEqual(MEMBER_ROLES.slice(MEMBER_ROLES.indexOf(needed)));
  expect(MEMBER_ROLES.map((role) => codeOf(needed, member(role), 'full')).filter(Boolean)).toEqual(
    MEMBER_ROLES.slice(0, MEMBER_ROLES.indexOf(needed)).map(() => 'forbidden'),
  );
});

it.each<[string, string | null, Access | undefined, Parameters<typeof refusalOf>[1], 'code' | 'full' | null]>([
  ['a route that says nothing', 'internal_error', undefined, { consoleUser: user(true) }, 'full'],
  ['nobody, on a route for anybody', null, 'anybody', {}, null],
  ['nobody', 'unauthorized', 'signed_in', {}, null],
  ['a half session', 'unauthorized', 'signed_in', { consoleUser: user(false) }, 'code'],
  ['a half session, where the code is given', null, 'half_session', { consoleUser: user(false) }, 'code'],
  ['a whole session, where the code is given', 'unauthorized', 'half_session', { consoleUser: user(false) }, 'full'],
  ['a user in an account of others', 'not_found', 'viewer', { consoleUser: user(false) }, 'full'],
  ['an operator in an account of others', 'not_found', 'viewer', { consoleUser: user(true) }, 'full'],
  ['a user in the area of operators', 'forbidden', 'operator', { consoleUser: user(false) }, 'full'],
  ['an operator', null, 'operator', { consoleUser: user(true) }, 'full'],
])('%s: %s', (_, code, access, context, stage) => {
  expect(codeOf(access, context, stage)).toBe(code);
});

import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { MEMBER_ROLES, mayActAs, type MemberRole } from '../../src/console/people/role.js';
import type { Access } from '../../src/console/session/access.js';
import { newId } from '../../src/platform/ids/uuid.js';
import { accessOfRoutes, CONSOLE_API } from '../support/console-routes.js';
import { askConsole, ConsoleBench, type ConsoleAnswer, type SignedInUser } from './console-bench.js';

/** Who asks: a member by role, somebody of another account, an operator of none, or nobody. */
type Asker = MemberRole | 'stranger' | 'operator' | 'half_session' | 'nobody';
const ASKERS: readonly Asker[] = [...MEMBER_ROLES, 'stranger', 'operator', 'half_session', 'nobody'];

let bench: ConsoleBench;
let app: NestFastifyApplication;
let account: string;
const users = new Map<Asker, SignedInUser>();
beforeAll(async () => {
  bench = await ConsoleBench.start();
  app = await bench.startConsole();
  account = await bench.makeAccount();
  const other = await bench.makeAccount('Others');
  // One owner more: the first one's tries are not refused as those of the last.
  await bench.makeUser({ accounts: { [account]: 'owner' } });
  for (const role of MEMBER_ROLES) users.set(role, await bench.makeUser({ accounts: { [account]: role } }));
  users.set('stranger', await bench.makeUser({ accounts: { [other]: 'owner' } }));
  users.set('operator', await bench.makeUser({ operator: true }));
  users.set('half_session', await bench.makeUser({ accounts: { [account]: 'owner' } }));
});
afterAll(() => bench.close());

it('every route of the API says who may call it, as the table does', () => {
  const api = Object.entries(accessOfRoutes(app)).filter(([route]) => route.includes(' /console/'));
  expect(Object.fromEntries(api)).toEqual(CONSOLE_API);
});

it('every other route is public: the page, its files, health, and the way to the provider', () => {
  const others = Object.entries(accessOfRoutes(app)).filter(([route]) => !route.includes(' /console/'));
  expect(others.filter(([, access]) => access !== 'public')).toEqual([]);
  expect(others.filter(([route]) => !route.startsWith('GET '))).toEqual([]);
});

describe.each(Object.entries(CONSOLE_API))('%s, for %s', (route, access) => {
  it.each(ASKERS)('is answered to %s as it should be', async (asker) => {
    const answer = await ask(route, asker);
    expect(outcomeOf(route, answer)).toBe(expected(access, asker));
  });

  it('takes no write from another site', async () => {
    const [method] = route.split(' ');
    const answer = await ask(route, 'owner', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' });
    if (method === 'GET') return;
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('does not come from a page')]);
  });
});

async function ask(route: string, asker: Asker, headers: Record<string, string> = {}): Promise<ConsoleAnswer> {
  const [method = '', pattern = ''] = route.split(' ');
  const url = pattern.replace(':account', account).replaceAll(/:\w+/g, newId());
  const user = users.get(asker);
  // A session of its own each time: some routes end it.
  const stage = asker === 'half_session' ? 'code' : 'full';
  const token = user === undefined ? null : await bench.makeSession(user.id, stage);
  return askConsole(app, url, { method: method as 'GET', token, headers });
}

function expected(access: Access, asker: Asker): string {
  if (access === 'anybody') return 'let in';
  if (access === 'half_session') return asker === 'half_session' ? 'let in' : '401';
  if (asker === 'nobody' || asker === 'half_session') return '401';
  if (access === 'signed_in') return 'let in';
  if (access === 'operator') return asker === 'operator' ? 'let in' : '403';
  if (asker === 'stranger' || asker === 'operator') return '404';
  return mayActAs(asker, access) ? 'let in' : '403';
}

/** What the gate did: what a handler answers is its own affair. */
function outcomeOf(route: string, { status, text }: ConsoleAnswer): string {
  expect(status).toBeLessThan(500);
  if (status === 401 && text.includes('"unauthorized"')) return '401';
  if (status === 403 && text.includes('"forbidden"')) return '403';
  const isOfAccount = route.includes('/:account');
  if (isOfAccount && status === 404 && text.includes('There is no such account')) return '404';
  return 'let in';
}

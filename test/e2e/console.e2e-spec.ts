import { readFileSync } from 'node:fs';
import { createConnection } from 'mysql2/promise';
import { breakableLink, type BreakableLink } from '../support/breakable-link.js';
import { BrowserSession } from '../support/browser-session.js';
import { CONSOLE_DOCUMENT_FILE } from '../support/openapi/api-document.js';
import { freePort } from '../support/free-port.js';
import { answersOk, startProcess, type StartedProcess } from '../support/processes.js';
import { waitUntil } from '../support/wait-until.js';
import { startProduct, type Product, type RunningConsole } from '../support/product.js';

const PASSWORD = 'a good long password';
let product: Product;
let running: RunningConsole;
let provider: StartedProcess;
let issuer: string;
let metricsPort: number;
beforeAll(async () => {
  product = await startProduct({ SMTP_CHECK_DOMAINS: 'none', ADDRESS_HASH_SECRET: '1:a secret of the tests' });
  const [providerPort, consolePort] = [await freePort(), await freePort()];
  issuer = `http://127.0.0.1:${providerPort}`;
  metricsPort = await freePort();
  const users = {
    ada: { email: 'ada@example.com', email_verified: true },
    moved: { email: 'ada@example.com', email_verified: true },
    eve: { email: 'bob@example.com', email_verified: false },
    zoe: { email: 'zoe@example.com', email_verified: true },
    may: { email: 'may@example.com', email_verified: true },
  };
  const callback = `http://127.0.0.1:${consolePort}/sign-in/oidc/callback`;
  provider = await startProcess(
    ['test/support/oidc-process.mjs', String(providerPort), callback, JSON.stringify(users)],
    {
      isReady: answersOk(`${issuer}/.well-known/openid-configuration`),
    },
  );
  running = await product.startConsole({
    CONSOLE_PORT: String(consolePort),
    CONSOLE_METRICS_PORT: String(metricsPort),
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: 'mailvet',
    OIDC_CLIENT_SECRET: 'a secret of the tests',
  });
});
afterAll(async () => {
  await provider?.stop();
  await product?.close();
});

const api = (path: string): string => `${running.url}/console/api/${path}`;
const invite = (email: string) =>
  product.cli<{ link: string }>('user', 'create', '--email', email, '--account', product.accountId, '--role', 'owner');

async function meOf(browser: BrowserSession): Promise<{
  status: number;
  body: { user?: { email: string; oidc: boolean }; accounts?: { id: string; role: string }[] };
}> {
  const response = await browser.send(api('me'));
  return { status: response.status, body: (await response.json()) as never };
}

describe('node dist/console', () => {
  it('signs in a user who chose a password on the link that the command printed', async () => {
    const { link } = await invite('first@example.com');
    const token = new URL(link).hash.replace('#token=', '');
    const browser = new BrowserSession();
    expect((await meOf(browser)).status).toBe(401);
    const chosen = await browser.json(api('welcome'), 'POST', { token, password: PASSWORD });
    expect(await chosen.json()).toEqual({ status: 'signed_in' });
    expect((await meOf(browser)).body.user).toMatchObject({ email: 'first@example.com' });
    const other = new BrowserSession();
    const signedIn = await other.json(api('sign-in'), 'POST', { email: 'First@example.com', password: PASSWORD });
    expect([signedIn.status, await signedIn.json()]).toEqual([200, { status: 'signed_in' }]);
    expect((await other.json(api('sign-out'), 'POST')).status).toBe(204);
    expect((await meOf(other)).status).toBe(401);
    expect((await meOf(browser)).status).toBe(200);
  });

  it('describes its API as the repository does', async () => {
    const document = await (await fetch(api('openapi.json'))).text();
    expect(document).toBe(readFileSync(CONSOLE_DOCUMENT_FILE, 'utf8'));
  });

  it('stops when it is asked to, with exit code 0', async () => {
    const another = await product.startConsole();
    expect(await another.process.stop()).toBe(0);
  });

  it('acts by its variables', async () => {
    const settings = {
      CONSOLE_TOPUP_URL: 'https://pay.example.com/credits',
      PUBLIC_URL: 'https://api.example.com',
      KEY_PREFIX: 'acme',
      CONSOLE_HOST: '0.0.0.0',
    };
    const through = async (trusted: NodeJS.ProcessEnv) => {
      const { url } = await product.startConsole({ ...settings, ...trusted });
      const { link } = await invite(`${Object.keys(trusted).length}.settings@example.com`);
      const token = new URL(link).hash.replace('#token=', '');
      const browser = new BrowserSession();
      const headers = { origin: url, 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9' };
      const body = JSON.stringify({ token, password: PASSWORD });
      await browser.send(`${url}/console/api/welcome`, { method: 'POST', headers, body });
      const answer = await browser.send(`${url}/console/api/me/sessions`);
      const { sessions } = (await answer.json()) as { sessions: readonly { address: string }[] };
      return { url, browser, address: sessions[0]!.address };
    };
    const { url, browser, address } = await through({ TRUST_PROXY: '127.0.0.1' });
    expect([address, (await through({})).address]).toEqual(['203.0.113.9', '127.0.0.1']);
    const options = await (await fetch(`${url}/console/api/options`)).json();
    expect(options).toMatchObject({ topup_url: settings.CONSOLE_TOPUP_URL, api_url: settings.PUBLIC_URL });
    const onAnotherAddress = (at: string): Promise<number | null> =>
      fetch(`${at.replace('127.0.0.1', '127.0.0.2')}/health/ready`).then(
        ({ status }) => status,
        () => null,
      );
    expect([await onAnotherAddress(url), await onAnotherAddress(running.url)]).toEqual([200, null]);
    const keys = `${url}/console/api/accounts/${product.accountId}/keys`;
    const made = await browser.json(keys, 'POST', { name: 'x', mode: 'test' });
    expect(await made.json()).toMatchObject({ key: expect.stringMatching(/^acme_test_/) });
  });

  it('does not start with a bad variable, and names it', async () => {
    const env = { ...product.environment, CONSOLE_ORIGIN: 'http://console.example.com', OIDC_CLIENT_ID: 'x' };
    const bad = await startProcess(['dist/console'], { env });
    expect(await bad.exitCode).toBe(1);
    expect(bad.output()).toMatch(/^CONSOLE_ORIGIN: must be https:/m);
    expect(bad.output()).toMatch(/^OIDC_ISSUER: is required where another/m);
  });
});

describe('a console that is killed', () => {
  const LAST = 'last@no-such-domain.example';
  const partOf = (list: string) => `accounts/${product.accountId}/lists/${list}/parts/1`;
  const emails = ['first@no-such-domain.example', LAST];

  it('after it stored a part of a list and before it answered has charged once, also when the part comes again', async () => {
    const dying = await product.startConsole();
    const { hostname: host, port } = new URL(dying.url);
    const link: BreakableLink = await breakableLink({ host, port: Number(port) }, (chunk) => {
      // The request arrives whole; nothing comes back.
      if (chunk.includes(LAST)) link.silence();
      return chunk;
    });
    await link.restore();
    const through = (path: string): string => `http://127.0.0.1:${link.port}/console/api/${path}`;
    const browser = new BrowserSession();
    const token = new URL((await invite('crash@example.com')).link).hash.replace('#token=', '');
    await browser.json(through('welcome'), 'POST', { token, password: PASSWORD });
    const wanted = { name: 'leads', mode: 'standard', parts: 1, total: emails.length };
    const made = await browser.json(through(`accounts/${product.accountId}/lists`), 'POST', wanted);
    const { id } = (await made.json()) as { id: string };

    const answer = browser.json(through(partOf(id)), 'PUT', { emails }).then(
      () => 'arrived',
      () => 'lost',
    );
    expect(await waitUntil(async () => (await charges()) === 1, { ms: 60_000 })).toBe(true);
    dying.process.kill('SIGKILL');
    expect(await answer).toBe('lost');
    await link.close();

    const later = new BrowserSession();
    await later.json(api('sign-in'), 'POST', { email: 'crash@example.com', password: PASSWORD });
    const again = await later.json(api(partOf(id)), 'PUT', { emails });
    expect([again.status, await again.json()]).toMatchObject([200, { charged: { credits: 0, free_verifies: 0 } }]);
    expect(await charges()).toBe(1);
  });

  async function charges(): Promise<number> {
    const connection = await createConnection(product.environment['DATABASE_URL']!);
    const [[row]] = (await connection.query(
      "SELECT COUNT(*) AS n FROM ledger_entries WHERE kind = 'charge'",
    )) as unknown as [[{ n: number }]];
    await connection.end();
    return row.n;
  }
});

describe('sign-in by OpenID Connect', () => {
  /** As a person goes from our page to the provider's and back. @returns the address where they arrive */
  async function signIn(browser: BrowserSession, name: string): Promise<string> {
    const login = await browser.follow(`${running.url}/sign-in/oidc`, running.url);
    expect(login.url).toMatch(new RegExp(`^${issuer}/interaction/`));
    const form = await browser.send(login.url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ prompt: 'login', login: name, password: 'x' }).toString(),
    });
    const back = await browser.follow(new URL(form.headers.get('location')!, login.url).href, running.url);
    return (await browser.follow(back.url, `${running.url}/sign-in#`)).url;
  }

  it('signs in a user whose email is known and verified, and knows them by issuer and subject from then on', async () => {
    await invite('ada@example.com');
    const browser = new BrowserSession();
    expect(await signIn(browser, 'ada')).toBe(`${running.url}/`);
    expect((await meOf(browser)).body.user).toMatchObject({ email: 'ada@example.com', oidc: true });
    // Another subject with the same email is somebody else.
    const impostor = new BrowserSession();
    expect(await signIn(impostor, 'moved')).toBe(`${running.url}/sign-in#oidc=unknown`);
    expect((await meOf(impostor)).status).toBe(401);
    const again = new BrowserSession();
    expect(await signIn(again, 'ada')).toBe(`${running.url}/`);
  });

  it('ends the password and the sessions of the user when it binds them: somebody else may have opened the link', async () => {
    const token = new URL((await invite('may@example.com')).link).hash.replace('#token=', '');
    const impostor = new BrowserSession();
    await impostor.json(api('welcome'), 'POST', { token, password: PASSWORD });
    expect((await meOf(impostor)).status).toBe(200);
    const browser = new BrowserSession();
    expect(await signIn(browser, 'may')).toBe(`${running.url}/`);
    expect((await meOf(impostor)).status).toBe(401);
    const again = await impostor.json(api('sign-in'), 'POST', { email: 'may@example.com', password: PASSWORD });
    expect(again.status).toBe(401);

    const other = await product.cli<{ id: string }>('account', 'create', '--name', 'Other', '--plan', 'scale');
    const joining = ['--email', 'may@example.com', '--account', other.id, '--role', 'viewer'];
    const { link } = await product.cli<{ link: string }>('user', 'create', ...joining);
    const join = (by: BrowserSession) =>
      by.json(api('welcome/join'), 'POST', { token: new URL(link).hash.replace('#token=', '') });
    expect((await join(impostor)).status).toBe(401);
    expect((await join(browser)).status).toBe(204);
    const roles = (await meOf(browser)).body.accounts?.map(({ id, role }) => [id, role]);
    expect(roles).toContainEqual([other.id, 'viewer']);
  });

  it.each([
    ['whose email is not verified', 'eve', 'unverified'],
    ['whom nobody has invited', 'zoe', 'unknown'],
  ])('signs in nobody %s', async (_, name, problem) => {
    await invite('bob@example.com').catch(() => undefined);
    const browser = new BrowserSession();
    expect(await signIn(browser, name)).toBe(`${running.url}/sign-in#oidc=${problem}`);
    expect((await meOf(browser)).status).toBe(401);
  });

  it('takes no answer that this browser was not sent for', async () => {
    const [victim, attacker] = [new BrowserSession(), new BrowserSession()];
    const login = await attacker.follow(`${running.url}/sign-in/oidc`, running.url);
    const form = await attacker.send(login.url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ prompt: 'login', login: 'ada', password: 'x' }).toString(),
    });
    const { url } = await attacker.follow(new URL(form.headers.get('location')!, login.url).href, running.url);
    const response = await victim.send(url);
    expect(response.headers.get('location')).toBe('/sign-in#oidc=failed');
    expect((await meOf(victim)).status).toBe(401);
  });

  it('is offered where it is set up, and 404 elsewhere', async () => {
    expect(await (await fetch(api('options'))).json()).toMatchObject({ oidc: true });
    const without = await product.startConsole();
    expect(await (await fetch(`${without.url}/console/api/options`)).json()).toMatchObject({ oidc: false });
    expect((await fetch(`${without.url}/sign-in/oidc`)).status).toBe(404);
  });

  it('says on the page that the provider does not answer', async () => {
    const settings = {
      OIDC_ISSUER: `http://127.0.0.1:${await freePort()}`,
      OIDC_CLIENT_ID: 'x',
      OIDC_CLIENT_SECRET: 'y',
    };
    const alone = await product.startConsole(settings);
    const answer = await fetch(`${alone.url}/sign-in/oidc`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/sign-in#oidc=unavailable']);
    expect(await waitUntil(async () => alone.process.output().includes('ECONNREFUSED'), { ms: 10_000 })).toBe(true);
  });

  it('asks the provider about no more than thirty bad codes of a network, and counts what it refuses', async () => {
    const before = await counted();
    const secrets = { state: 'made up', nonce: 'made up', verifier: 'made up' };
    const cookie = `mailvet-oidc=${Buffer.from(JSON.stringify(secrets)).toString('base64url')}`;
    const query = new URLSearchParams({ code: 'made up', state: secrets.state, iss: issuer }).toString();
    const problems: (string | null)[] = [];
    for (let i = 0; i < 31; i++) {
      const answer = await fetch(`${running.url}/sign-in/oidc/callback?${query}`, {
        headers: { cookie },
        redirect: 'manual',
      });
      problems.push(answer.headers.get('location'));
    }
    expect(new Set(problems.slice(0, 20))).toEqual(new Set(['/sign-in#oidc=failed']));
    expect(problems.at(-1)).toBe('/sign-in#oidc=too_many');
    const after = await counted();
    expect(before('passed')).toBeGreaterThan(0);
    expect(after('passed')).toBe(before('passed'));
    expect(after('refused')).toBeGreaterThan(0);
    expect(after('failed') + after('refused')).toBe(before('failed') + problems.length);
  });

  /** What the console's metrics say of these sign-ins, by outcome. */
  async function counted(): Promise<(outcome: string) => number> {
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const line = /^mailvet_console_sign_ins_total\{step="oidc",outcome="(\w+)"\} (\d+)$/gm;
    const counts = new Map([...metrics.matchAll(line)].map(([, outcome, count]) => [outcome, Number(count)]));
    return (outcome) => counts.get(outcome) ?? 0;
  }
});

import { createConnection } from 'mysql2/promise';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { hashToken, newToken } from '../../../src/console/session/token.js';
import { idToBytes, newId } from '../../../src/platform/ids/uuid.js';
import { laboratoryEnvironment } from '../../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../../lab/laboratory.js';
import { ACCEPTED } from '../../lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds, type World } from '../../lab/world.js';
import { startProduct, type Product, type RunningConsole } from '../../support/product.js';
import { startChromium } from '../../support/start-chromium.js';

/** How long the page may take for a step beside other tests. */
const BUSY_MACHINE_MS = 120_000;

const PASSWORD = 'correct horse battery staple';
/** What the tests of most pages ask about. */
const usualWorld = joinWorlds(
  domainWithHost('company.example', { recipients: { ada: ACCEPTED, info: ACCEPTED } }),
  domainWithHost('catch-all.example', { otherRecipients: ACCEPTED }),
);

export interface ConsoleInBrowser {
  readonly product: Product;
  readonly console: RunningConsole;
  readonly accountId: string;
  /** Makes a person by the operator's command, and returns the path of the one-time link. */
  invite(email: string, ...further: readonly string[]): Promise<string>;
  /** A fresh profile of the browser; requests to any other host are noted, and come to nothing. */
  open(options?: BrowserContextOptions): Promise<Visit>;
  /** Makes a person as `invite` does, and signs them in without their password: signing in has tests of its own. */
  enter(visit: Visit, email: string, ...further: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Addresses of other hosts that the page asked for: there must be none. */
  readonly strangers: readonly string[];
  /** Errors that the page has thrown or written to its console. */
  readonly faults: readonly string[];
  /** Goes to a path of the console. */
  readonly go: (path: string) => Promise<void>;
  readonly signIn: (email: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The built console, and a Chromium to look at it. Tests start the other processes that they need. */
export async function startConsoleInBrowser(world: World = usualWorld): Promise<ConsoleInBrowser> {
  const lab: Laboratory = await startLaboratory(world);
  const product = await startProduct({
    ...laboratoryEnvironment(lab),
  });
  const [browser, running] = await Promise.all([startChromium(), product.startConsole()]);
  const { url } = running;
  const create = (email: string, further: readonly string[]): Promise<{ id: string; link: string }> => {
    const member = further.length > 0 ? further : ['--account', product.accountId, '--role', 'owner'];
    return product.cli('user', 'create', '--email', email, ...member);
  };

  return {
    product,
    console: running,
    accountId: product.accountId,
    invite: async (email, ...further) => {
      const { pathname, hash } = new URL((await create(email, further)).link);
      return `${pathname}${hash}`;
    },
    open: (options) => openVisit(browser, url, options),
    enter: async ({ context }, email, ...further) => {
      const { id } = await create(email, further);
      const value = await startSession(product.databaseUrl, id);
      await context.addCookies([{ name: 'mailvet', value, url }]);
    },
    close: async () => {
      await browser.close();
      await product.close();
      await lab.stop();
    },
  };
}

/** @returns the value of the session's cookie */
async function startSession(databaseUrl: string, userId: string): Promise<string> {
  const token = newToken();
  const connection = await createConnection(databaseUrl);
  await connection.query(
    `INSERT INTO sessions (id, user_id, token_sha256, stage, created_at, last_used_at, expires_at)
      VALUES (?, ?, ?, 'full', UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) + INTERVAL 1 DAY)`,
    [idToBytes(newId()), idToBytes(userId), Buffer.from(hashToken(token)!, 'hex')],
  );
  await connection.end();
  return token;
}

async function openVisit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  context.setDefaultTimeout(BUSY_MACHINE_MS);
  const page = await context.newPage();
  const strangers: string[] = [];
  const faults: string[] = [];
  // To intercept them (`route`) would have the browser load everything anew for each page.
  context.on('request', (request) => {
    const address = new URL(request.url());
    if (address.origin !== url && !['blob:', 'data:'].includes(address.protocol)) strangers.push(address.href);
  });
  page.on('pageerror', (error) => faults.push(error.message));
  const go = async (path: string): Promise<void> => {
    await page.goto(`${url}${path}`);
  };
  return {
    context,
    page,
    strangers,
    faults,
    go,
    signIn: async (email) => {
      await go('/sign-in');
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    },
    close: () => context.close(),
  };
}

/** On the page of a one-time link: chooses the password that `signIn` types. */
export async function choosePassword({ page, go }: Visit, link: string): Promise<void> {
  await go(link);
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByLabel('Repeat password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'attached' });
}

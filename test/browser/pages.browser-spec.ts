import { existsSync, mkdirSync } from 'node:fs';
import type { BrowserContext } from 'playwright-core';
import { join, resolve } from 'node:path';
import { waitUntil } from '../support/wait-until.js';
import { accessibilityFaults, contrastFaults, isTooWide } from './support/accessibility.js';
import { keepOperatorBusy } from './support/busy-service.js';
import { describeInBrowser } from './support/chromium.js';
import {
  choosePassword,
  startConsoleInBrowser,
  type ConsoleInBrowser,
  type Visit,
} from './support/console-in-browser.js';

const ROOT = resolve(__dirname, '../..');
/** `BROWSER_PICTURES=docs/pictures` makes those of the documentation anew. */
const PICTURES = resolve(ROOT, process.env['BROWSER_PICTURES'] ?? '.local/pictures');
const FURTHER_PICTURES = resolve(ROOT, '.local/pictures');

const MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format();
/** Every page behind the sign-in: its path, its heading, and a text that must be there. */
const PAGES = [
  { path: '/overview', heading: 'Overview' },
  { path: '/verify', heading: 'Verify' },
  { path: '/lists', heading: 'Lists' },
  { path: '/domains', heading: 'Domains' },
  { path: '/keys', heading: 'API keys' },
  { path: '/guard', heading: 'Guard' },
  { path: '/webhooks', heading: 'Webhooks' },
  { path: '/credits', heading: 'Credits', shows: `in ${MONTH}` },
  { path: '/security', heading: 'Team and security' },
  { path: '/security?tab=you', heading: 'Team and security', name: 'sign-in-settings' },
  { path: '/security?tab=audit', heading: 'Team and security', name: 'audit' },
  { path: '/admin', heading: 'Operation' },
  { path: '/admin/queues', heading: 'Operation', name: 'admin-queues' },
  { path: '/admin/system', heading: 'Operation', name: 'admin-system' },
] as const;

const nameOf = (page: (typeof PAGES)[number]): string => ('name' in page ? page.name : page.path.slice(1));
/** Of each page of an account one picture in the documentation: wide and light. */
const pagesInDocs = PAGES.filter(({ path }) => !path.startsWith('/admin'));
const inDocs = pagesInDocs.map((page) => `console-${nameOf(page)}.png`);

/** Whether no colour is on its way to another one. */
const HAS_SETTLED = 'document.getAnimations().every((one) => !(one instanceof CSSTransition))';
type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;
const SIZES = [
  { width: 1440, height: 900 },
  { width: 360, height: 740 },
] as const;
const SCHEMES = ['light', 'dark'] as const;
type Size = (typeof SIZES)[number];
type Scheme = (typeof SCHEMES)[number];

let console: ConsoleInBrowser;
const faults = new Map<string, string[]>();
const faultsOf = (width: number, scheme: string): string[] => {
  const key = `${width} px, ${scheme}`;
  if (!faults.has(key)) faults.set(key, []);
  return faults.get(key)!;
};

describeInBrowser('every page', () => {
  /** One sign-in; both widths at once; each page is loaded once for both schemes. */
  beforeAll(async () => {
    console = await startConsoleInBrowser();
    for (const folder of [PICTURES, FURTHER_PICTURES]) mkdirSync(folder, { recursive: true });
    await Promise.all([
      console.product.cli('demo-data', console.accountId),
      keepOperatorBusy(console.product.environment),
    ]);
    const visit = await console.open();
    const operator = ['--account', console.accountId, '--role', 'owner', '--operator'];
    await choosePassword(visit, await console.invite('ada@example.com', ...operator));
    await verify(visit, 'ada@company.example', 'Valid');
    await verify(visit, 'someone@catch-all.example', 'Catch-all');
    const storageState = await visit.context.storageState();
    await visit.close();
    await Promise.all(SIZES.map((size) => lookAtAll(size, storageState)));
  }, 400_000);
  afterAll(() => console?.close());

  const lookAtAll = async (size: Size, storageState: StorageState): Promise<void> => {
    const visit = await console.open({ viewport: size, colorScheme: 'light', storageState });
    for (const one of PAGES) await lookAt(visit, one, size);
    faultsOf(size.width, 'light').push(...visit.faults, ...visit.strangers);
    await visit.close();
  };

  const lookAt = async ({ page, go }: Visit, one: (typeof PAGES)[number], { width }: Size): Promise<void> => {
    await page.emulateMedia({ colorScheme: 'light' });
    await go(one.path);
    await page.getByRole('heading', { level: 1, name: one.heading }).waitFor();
    if ('shows' in one) await page.getByText(one.shows, { exact: true }).waitFor();
    await page.waitForLoadState('networkidle');
    for (const scheme of SCHEMES) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor();
      await waitUntil(() => page.evaluate<boolean>(HAS_SETTLED), { ms: 5000 });
      const found = scheme === 'light' ? await accessibilityFaults(page) : await contrastFaults(page);
      if ((await page.getByRole('heading', { level: 1 }).count()) !== 1) found.push('not one heading of level 1');
      if (await isTooWide(page)) found.push('wider than the window');
      faultsOf(width, scheme).push(...found.map((fault) => `${one.path}: ${fault}`));
      await page.screenshot({ path: pictureOf(one, width, scheme) });
    }
  };

  it.each(SIZES.flatMap(({ width }) => SCHEMES.map((scheme) => [width, scheme] as const)))(
    'can be used by everybody in %i px, %s',
    (width, scheme) => expect(faultsOf(width, scheme)).toEqual([]),
  );

  it('has its picture in the documentation', () => {
    expect(inDocs.filter((name) => !existsSync(resolve(ROOT, 'docs/pictures', name)))).toEqual([]);
  });
});

function pictureOf(page: (typeof PAGES)[number], width: number, scheme: Scheme): string {
  const isForDocs = width === 1440 && scheme === 'light' && !page.path.startsWith('/admin');
  if (isForDocs) return join(PICTURES, `console-${nameOf(page)}.png`);
  return join(FURTHER_PICTURES, `console-${nameOf(page)}-${width}-${scheme}.png`);
}

async function verify({ page, go }: Visit, address: string, verdict: string): Promise<void> {
  await go('/verify');
  await page.getByLabel('Address').fill(address);
  await page.getByLabel('Mode').selectOption('Enhanced');
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await page.getByText('For programs').waitFor();
  await page.getByText(verdict, { exact: true }).first().waitFor();
}

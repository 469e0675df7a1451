import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { LOOKS, lookAtAll, type Look } from './support/accessibility.js';
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

interface PageOf {
  readonly path: string;
  /** The heading, and the name in the navigation. */
  readonly heading: string;
  readonly tab?: string;
  /** The picture's name, where it is not the path. */
  readonly name?: string;
  /** What is done there first: what is looked at is what people came for. */
  readonly first?: (page: Page) => Promise<unknown>;
}

/** Every page behind the sign-in, in the order in which it is gone through. */
const PAGES: readonly PageOf[] = [
  { path: '/overview', heading: 'Overview' },
  { path: '/verify', heading: 'Verify', first: verifyAddresses },
  { path: '/lists', heading: 'Lists' },
  { path: '/domains', heading: 'Domains', first: lookUpDomain },
  { path: '/keys', heading: 'API keys' },
  { path: '/guard', heading: 'Guard' },
  { path: '/webhooks', heading: 'Webhooks' },
  { path: '/credits', heading: 'Credits', first: (page) => page.getByText(`in ${MONTH}`, { exact: true }).waitFor() },
  { path: '/security', heading: 'Team and security' },
  { path: '/security?tab=you', heading: 'Team and security', tab: 'Your sign-in', name: 'sign-in-settings' },
  { path: '/security?tab=audit', heading: 'Team and security', tab: 'Audit', name: 'audit' },
  { path: '/admin', heading: 'Operation' },
  { path: '/admin/queues', heading: 'Operation', tab: 'Queues', name: 'admin-queues' },
  { path: '/admin/system', heading: 'Operation', tab: 'System', name: 'admin-system' },
];

const nameOf = ({ name, path }: PageOf): string => name ?? path.slice(1);
/** Of each page of an account one picture in the documentation: wide and light. */
const pagesInDocs = PAGES.filter(({ path }) => !path.startsWith('/admin'));
const inDocs = pagesInDocs.map((page) => `console-${nameOf(page)}.png`);

/** Counts in `movements` whatever begins to move. */
const NOTE_MOVEMENTS = `{
  globalThis.movements = 0;
  for (const kind of ['animationstart', 'transitionrun']) addEventListener(kind, () => movements++, true);
}`;

let console: ConsoleInBrowser;
const keyOf = ({ width, colorScheme }: Look): string => `${width} px, ${colorScheme}`;
const faults = new Map<string, string[]>(LOOKS.map((look) => [keyOf(look), []]));
let visit: Visit;

describeInBrowser('every page', () => {
  /** The page is loaded once and goes from place to place as people do: to load it costs more than to look at it. */
  beforeAll(async () => {
    console = await startConsoleInBrowser();
    for (const folder of [PICTURES, FURTHER_PICTURES]) mkdirSync(folder, { recursive: true });
    await Promise.all([
      console.product.startWorker(),
      console.product.cli('demo-data', console.accountId),
      keepOperatorBusy(console.product.environment),
    ]);
    visit = await console.open({ colorScheme: 'light', reducedMotion: 'reduce' });
    await visit.context.addInitScript(NOTE_MOVEMENTS);
    const operator = ['--account', console.accountId, '--role', 'owner', '--operator'];
    await choosePassword(visit, await console.invite('ada@example.com', ...operator));
    for (const one of PAGES) {
      await goTo(visit, one);
      await lookAtAll(visit.page, async (look, found) => {
        const headings = await visit.page.getByRole('heading', { level: 1 }).count();
        const all = headings === 1 ? found : [...found, 'not one heading of level 1'];
        faults.get(keyOf(look))!.push(...all.map((fault) => `${one.path}: ${fault}`));
        await visit.page.screenshot({ path: pictureOf(one, look) });
      });
    }
  }, 400_000);
  afterAll(() => console?.close());

  it.each(LOOKS)('can be used by everybody in $width px, $colorScheme', (look) =>
    expect(faults.get(keyOf(look))).toEqual([]),
  );

  it('throws nothing, and asks no other host for anything', () => {
    expect(visit.faults).toEqual([]);
    expect(visit.strangers).toEqual([]);
  });

  it('moves nothing for people who asked for that', async () => {
    expect(await visit.page.evaluate('globalThis.movements')).toBe(0);
  });

  it('has its picture in the documentation', () => {
    expect(inDocs.filter((name) => !existsSync(resolve(ROOT, 'docs/pictures', name)))).toEqual([]);
  });
});

async function goTo({ page }: Visit, { path, heading, tab, first }: PageOf): Promise<void> {
  if (tab === undefined) {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: heading, exact: true }).click();
  } else {
    await page.getByRole('tab', { name: tab }).click();
    await page.getByRole('tab', { name: tab, selected: true }).waitFor();
  }
  await page.waitForURL((url) => url.href.endsWith(path));
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  await first?.(page);
}

function pictureOf(page: PageOf, { width, colorScheme }: Look): string {
  const isForDocs = width === 1440 && colorScheme === 'light' && !page.path.startsWith('/admin');
  if (isForDocs) return join(PICTURES, `console-${nameOf(page)}.png`);
  return join(FURTHER_PICTURES, `console-${nameOf(page)}-${width}-${colorScheme}.png`);
}

async function verifyAddresses(page: Page): Promise<void> {
  const verdicts = { 'someone@catch-all.example': 'Catch-all', 'ada@company.example': 'Valid' };
  for (const [address, verdict] of Object.entries(verdicts)) {
    await page.getByLabel('Address').fill(address);
    await page.getByLabel('Mode').selectOption('Enhanced');
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByText(verdict, { exact: true }).first().waitFor();
    await page.getByText('For programs').waitFor();
  }
}

async function lookUpDomain(page: Page): Promise<void> {
  await page.getByLabel('Domain').fill('company.example');
  await page.getByRole('button', { name: 'Look up' }).click();
  await page.getByRole('heading', { name: 'company.example' }).waitFor();
}

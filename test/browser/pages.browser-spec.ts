import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { accessibilityFaults, isTooWide } from './support/accessibility.js';
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

/** Every page behind the sign-in: its path and its heading. */
const PAGES = [
  { path: '/overview', heading: 'Overview' },
  { path: '/verify', heading: 'Verify' },
  { path: '/lists', heading: 'Lists' },
  { path: '/domains', heading: 'Domains' },
  { path: '/keys', heading: 'API keys' },
  { path: '/guard', heading: 'Guard' },
  { path: '/credits', heading: 'Credits' },
  { path: '/security', heading: 'Team and security' },
  { path: '/security?tab=you', heading: 'Team and security', name: 'sign-in-settings' },
  { path: '/security?tab=audit', heading: 'Team and security', name: 'audit' },
  { path: '/admin', heading: 'Operation' },
] as const;

const nameOf = (page: (typeof PAGES)[number]): string => ('name' in page ? page.name : page.path.slice(1));
/** Of each page of an account one picture in the documentation: wide and light. */
const pagesInDocs = PAGES.filter(({ path }) => path !== '/admin');
const inDocs = pagesInDocs.map((page) => `console-${nameOf(page)}.png`);

let console: ConsoleInBrowser;

describeInBrowser('every page', () => {
  beforeAll(async () => {
    console = await startConsoleInBrowser();
    for (const folder of [PICTURES, FURTHER_PICTURES]) mkdirSync(folder, { recursive: true });
    await console.product.cli('demo-data', console.accountId);
    const visit = await console.open();
    const operator = ['--account', console.accountId, '--role', 'owner', '--operator'];
    await choosePassword(visit, await console.invite('ada@example.com', ...operator));
    await verify(visit, 'ada@company.example', 'Valid');
    await verify(visit, 'someone@catch-all.example', 'Catch-all');
    await visit.close();
  });
  afterAll(() => console?.close());

  it.each([
    { width: 1440, height: 900, colorScheme: 'light' },
    { width: 1440, height: 900, colorScheme: 'dark' },
    { width: 360, height: 740, colorScheme: 'light' },
    { width: 360, height: 740, colorScheme: 'dark' },
  ] as const)(
    'can be used by everybody in $width px, $colorScheme',
    async ({ width, height, colorScheme }) => {
      const visit = await console.open({ viewport: { width, height }, colorScheme });
      const { page } = visit;
      await visit.signIn('ada@example.com');
      const faults: string[] = [];
      for (const one of PAGES) {
        await visit.go(one.path);
        await page.getByRole('heading', { level: 1, name: one.heading }).waitFor();
        await page.waitForLoadState('networkidle');
        expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
        faults.push(...(await accessibilityFaults(page)).map((fault) => `${one.path}: ${fault}`));
        if (await isTooWide(page)) faults.push(`${one.path} is wider than the window`);
        const isForDocs = width === 1440 && colorScheme === 'light' && one.path !== '/admin';
        const name = `console-${nameOf(one)}${isForDocs ? '' : `-${width}-${colorScheme}`}.png`;
        await page.screenshot({ path: join(isForDocs ? PICTURES : FURTHER_PICTURES, name) });
      }
      expect(faults).toEqual([]);
      expect(visit.faults).toEqual([]);
      expect(visit.strangers).toEqual([]);
      await visit.close();
    },
    400_000,
  );

  it('has its picture in the documentation', () => {
    expect(inDocs.filter((name) => !existsSync(resolve(ROOT, 'docs/pictures', name)))).toEqual([]);
  });
});

async function verify({ page, go }: Visit, address: string, verdict: string): Promise<void> {
  await go('/verify');
  await page.getByLabel('Address').fill(address);
  await page.getByLabel('Mode').selectOption('Enhanced');
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await page.getByText('For programs').waitFor();
  await page.getByText(verdict, { exact: true }).first().waitFor();
}

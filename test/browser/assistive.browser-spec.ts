import type { Locator, Page } from 'playwright-core';
import { accessibilityFaults } from './support/accessibility.js';
import { describeInBrowser } from './support/chromium.js';
import { startConsoleInBrowser, type ConsoleInBrowser, type Visit } from './support/console-in-browser.js';
import { lostWithForcedColors } from './support/forced-colors.js';
import { waitUntil } from '../support/wait-until.js';

interface Named {
  readonly ariaLabel: string | null;
  readonly textContent: string;
}

let console: ConsoleInBrowser;
let visit: Visit;

beforeAll(async () => {
  console = await startConsoleInBrowser();
  visit = await console.open({ reducedMotion: 'reduce' });
  await console.product.cli('demo-data', console.accountId);
  await console.enter(visit, 'ada@example.com', '--account', console.accountId, '--role', 'owner', '--operator');
});
afterAll(async () => {
  await visit?.close();
  await console?.close();
});

/** What has the focus, in words. */
const focused = (page: Page): Promise<string> =>
  page.evaluate<string>(`(({ tagName, ariaLabel, textContent }) =>
    tagName + ' ' + (ariaLabel ?? textContent.slice(0, 30)))(document.activeElement)`);
const isFocused = (one: Locator): Promise<boolean> =>
  one.evaluate(
    (element) => element === (globalThis as unknown as { document: { activeElement: unknown } }).document.activeElement,
  );
const becomes = (page: Page, wanted: RegExp): Promise<unknown> =>
  waitUntil(async () => wanted.test(await focused(page)), { ms: 30_000 });
/** As with a keyboard, or a screen reader. */
const press = async (page: Page, name: string | RegExp, within: 'page' | 'dialog' = 'page'): Promise<void> => {
  const place = within === 'page' ? page.locator('body') : page.getByRole('dialog');
  const button = place.getByRole('button', { name }).last();
  await button.waitFor();
  await button.focus();
  await page.keyboard.press('Enter');
};

describeInBrowser('for people with a keyboard or a screen reader', () => {
  it.each([
    ['/keys', 'Create key'],
    ['/keys', /^Rotate CRM/],
    ['/keys', /^Revoke CRM/],
    ['/lists', /^Delete Newsletter/],
    ['/guard', 'Create property'],
    ['/webhooks', 'Add endpoint'],
    ['/security', 'Invite'],
    ['/admin', 'Create account'],
  ])('the dialog on %s behind %s has names, and gives the focus back', async (path, name) => {
    const { page, go } = visit;
    await go(path);
    await press(page, name);
    await page.getByRole('dialog').getByRole('heading').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const opener = page.getByRole('button', { name, includeHidden: true }).last();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await waitUntil(() => isFocused(opener), { ms: 30_000 })).toBeTruthy();
  });

  it('the focus stays near when a dialog takes away what had it', async () => {
    const { page, go } = visit;
    await go('/keys');
    await press(page, 'Create key');
    await page.getByRole('dialog').getByLabel('Name').fill('spare');
    await page.keyboard.press('Enter');
    await press(page, 'I have copied it', 'dialog');
    expect(await becomes(page, /^BUTTON Create key/)).toBeTruthy();
    await press(page, /^Revoke spare/);
    await press(page, 'Revoke key', 'dialog');
    expect(await becomes(page, /^TABLE API keys/)).toBeTruthy();
    await go('/lists');
    await press(page, /^Delete Newsletter/);
    await press(page, /^Delete/, 'dialog');
    expect(await becomes(page, /^TABLE Lists/)).toBeTruthy();
  });

  it('no two buttons in the rows of a table have one name', async () => {
    const { page, go } = visit;
    for (const email of ['mia@example.com', 'pia@example.com'])
      await console.invite(email, '--account', console.accountId, '--role', 'viewer');
    for (const path of ['/keys', '/lists', '/guard', '/security', '/security?tab=you', '/admin/queues']) {
      await go(path);
      await page.getByRole('table').first().waitFor();
      const names = await page
        .getByRole('cell')
        .getByRole('button')
        .evaluateAll((all) =>
          (all as unknown as Named[]).map(({ ariaLabel, textContent }) => ariaLabel ?? textContent),
        );
      expect([path, names.filter((name, index) => names.indexOf(name) !== index)]).toEqual([path, []]);
    }
  });

  it('lists of tabs have names', async () => {
    const { page, go } = visit;
    for (const [path, name] of [
      ['/security', 'Team and security'],
      ['/admin', 'Operation'],
    ] as const) {
      await go(path);
      await page.getByRole('tablist', { name }).waitFor();
    }
  });

  it('what is drawn is there where the reader sets the colours', async () => {
    const { page, go } = visit;
    for (const [path, width] of [
      ['/overview', 1280],
      ['/guard', 1280],
      ['/overview', 390],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await go(path);
      await page.getByRole('list', { name: 'Verdicts' }).waitFor();
      const { drawn, lost } = await lostWithForcedColors(page);
      expect(drawn).toBeGreaterThan(5);
      expect([path, width, lost]).toEqual([path, width, []]);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('the tab and the period that are chosen can be told where the reader sets the colours', async () => {
    const { page, go } = visit;
    await page.emulateMedia({ forcedColors: 'active' });
    const picture = async (path: string, role: 'tab' | 'radiogroup', name: string): Promise<string> => {
      await go(path);
      const one = page.getByRole(role, { name });
      await one.waitFor();
      return (await one.screenshot()).toString('base64');
    };
    expect(await picture('/security', 'tab', 'Audit')).not.toBe(await picture('/security?tab=audit', 'tab', 'Audit'));
    const period = (days: number): Promise<string> => picture(`/guard?days=${days}`, 'radiogroup', 'Period');
    expect(await period(7)).not.toBe(await period(90));
    await page.emulateMedia({ forcedColors: 'none' });
  });
});

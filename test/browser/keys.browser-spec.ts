import { describeInBrowser } from './support/chromium.js';
import {
  choosePassword,
  startConsoleInBrowser,
  type ConsoleInBrowser,
  type Visit,
} from './support/console-in-browser.js';
import { waitUntil } from '../support/wait-until.js';

let console: ConsoleInBrowser;
let visit: Visit;

describeInBrowser('API keys on the page', () => {
  beforeAll(async () => {
    console = await startConsoleInBrowser();
    visit = await console.open();
    await choosePassword(visit, await console.invite('ada@example.com'));
  });
  afterAll(async () => {
    await visit?.close();
    await console?.close();
  });

  const answerTo = async (key: string): Promise<number> => {
    const { status } = await console.api.verify(key, { email: 'ada@company.example', mode: 'quick' });
    return status;
  };
  const shownKey = async (): Promise<string> =>
    (await visit.page.getByLabel('New key', { exact: true }).innerText()).trim();
  const row = (name: string) => visit.page.getByRole('row', { name });

  it('are created, shown once, used, rotated and revoked', async () => {
    const { page, go } = visit;
    await go('/keys');
    await page.getByText('No key yet').waitFor();
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('shop');
    await dialog.getByLabel('Live').check();
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    const first = await shownKey();
    expect(first).toMatch(/^mv_live_/);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await row('shop').waitFor();
    expect(await page.content()).not.toContain(first);
    expect(await answerTo(first)).toBe(200);

    await row('shop').getByRole('button', { name: 'Rotate' }).click();
    await page.getByLabel('The old key ends').selectOption('1 hour');
    await page.getByRole('button', { name: 'Rotate key' }).click();
    const second = await shownKey();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    expect(second).not.toBe(first);
    await page.getByText('Expiring').waitFor();
    expect(await answerTo(first)).toBe(200);
    expect(await answerTo(second)).toBe(200);

    const active = page.getByRole('row').filter({ hasText: second.slice(-4) });
    await active.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
    await active.getByText('Revoked').waitFor();
    expect(await waitUntil(async () => (await answerTo(second)) === 401, { ms: 10_000 })).toBeTruthy();
    expect(visit.faults).toEqual([]);
    expect(visit.strangers).toEqual([]);
  });

  it('of the sandbox are made by choosing Test', async () => {
    const { page } = visit;
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('ci');
    await dialog.getByLabel('Test').check();
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    expect(await shownKey()).toMatch(/^mv_test_/);
    await page.getByRole('button', { name: 'I have copied it' }).click();
  });
});

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { fitsWindow } from './support/accessibility.js';
import { describeInBrowser } from './support/chromium.js';
import { startConsoleInBrowser, type ConsoleInBrowser, type Visit } from './support/console-in-browser.js';
import type { RunningApi } from '../support/product.js';
import { waitUntil } from '../support/wait-until.js';

interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
}

interface Animated {
  getAnimations(): readonly unknown[];
}

let console: ConsoleInBrowser;
let api: RunningApi;
let visit: Visit;

beforeAll(async () => {
  console = await startConsoleInBrowser();
  [api, visit] = await Promise.all([
    console.product.startApi(),
    console.open(),
    // Sends the webhooks.
    console.product.startWorker(),
  ]);
  await console.enter(visit, 'ada@example.com');
});
afterAll(async () => {
  await visit?.close();
  await console?.close();
});

describeInBrowser('API keys on the page', () => {
  const answerTo = async (key: string): Promise<number> => {
    const { status } = await api.verify(key, { email: 'ada@company.example', mode: 'quick' });
    return status;
  };
  const shownKey = async (): Promise<string> =>
    (await visit.page.getByLabel('New key', { exact: true }).innerText()).trim();
  const row = (name: string) => visit.page.getByRole('row', { name });

  it('stand behind a navigation that takes no focus while a phone does not show it', async () => {
    const { page, go } = visit;
    await go('/keys');
    const navigation = page.getByRole('navigation', { name: 'Pages' });
    await navigation.waitFor();
    await page.setViewportSize({ width: 390, height: 740 });
    await navigation.waitFor({ state: 'hidden', timeout: 5000 });
    await page.getByRole('button', { name: 'Open the navigation' }).click();
    await navigation.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    await navigation.waitFor();
  });

  it('are created, shown once, used, rotated and revoked', async () => {
    const { page, go } = visit;
    await page.route('**/audit?*', (route) => route.fulfill({ json: { entries: [], next: null } }));
    const words = {
      '/lists': 'No lists yet',
      '/webhooks': 'No endpoint yet',
      '/credits': 'Grants, charges and refunds stand here',
      '/security?tab=audit': 'Nothing was changed yet',
      '/keys': 'No key yet',
    };
    for (const [path, empty] of Object.entries(words)) {
      await go(path);
      await page.getByText(empty).waitFor();
    }
    await page.unroute('**/audit?*');
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('shop');
    await dialog.getByLabel('Live').check();
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    const first = await shownKey();
    expect(first).toMatch(/^mv_live_/);
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    expect(await shownKey()).toBe(first);
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
    expect(await waitUntil(async () => (await answerTo(second)) === 401, { ms: 60_000 })).toBeTruthy();
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

  it('that are not made or ended say why, what to do, and which request it was', async () => {
    const { page } = visit;
    const body = JSON.stringify({ error: { code: 'internal_error', message: 'Something went wrong on our side.' } });
    const headers = { 'content-type': 'application/json', 'x-request-id': 'the-request' };
    await page.route(/\/keys(\/.*)?$/, (route) =>
      route.request().method() === 'GET' ? route.fallback() : route.fulfill({ status: 500, headers, body }),
    );
    const openers = [
      [page.getByRole('button', { name: 'Create key' }).first(), 'Create'],
      [row('ci').getByRole('button', { name: 'Rotate' }), 'Rotate key'],
      [row('ci').getByRole('button', { name: 'Revoke' }), 'Revoke key'],
    ] as const;
    for (const [opener, act] of openers) {
      await opener.click();
      const dialog = page.getByRole('dialog');
      if (act === 'Create') await dialog.getByLabel('Name').fill('never');
      await dialog.getByRole('button', { name: act, exact: true }).click();
      const alert = dialog.getByRole('alert');
      await alert.getByText('Something went wrong on our side.').waitFor();
      expect(await alert.innerText()).toMatch(/Try again in a moment\.\s*Request the-request/);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'hidden' });
    }
    await page.unroute(/\/keys(\/.*)?$/);
  });

  it('are asked for in a dialog that takes a click while it opens', async () => {
    const { page, context } = visit;
    const devTools = await context.newCDPSession(page);
    await devTools.send('Animation.enable');
    await devTools.send('Animation.setPlaybackRate', { playbackRate: 0.01 });
    await page.getByRole('button', { name: 'Create key' }).first().click();
    const dialog = page.getByRole('dialog');
    const moving = (): Promise<number> => dialog.evaluate((one) => (one as unknown as Animated).getAnimations().length);
    await waitUntil(async () => (await moving()) > 0, { ms: 60_000 });
    const choice = dialog.getByLabel('Test');
    const { x, y, width, height } = (await choice.boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await devTools.send('Animation.setPlaybackRate', { playbackRate: 1 });
    await waitUntil(async () => (await moving()) === 0, { ms: 60_000 });
    await page.mouse.up();
    expect(await choice.isChecked()).toBe(true);
    await devTools.detach();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });
});

describeInBrowser('webhooks on the page', () => {
  const received: Received[] = [];
  let receiver: Server;
  beforeAll(async () => {
    const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      received.push({ headers: request.headers as Record<string, string>, body: await text(request) });
      response.end('taken');
    };
    receiver = createServer((request, response) => void take(request, response));
    await once(receiver.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(() => receiver.close());

  const change = async (what: string): Promise<void> => {
    await visit.page.getByRole('button', { name: /^Change http/ }).click();
    await visit.page.getByRole('menuitem', { name: what }).click();
  };

  it('are added with a secret that is shown once, tried, opened, sent again and switched off', async () => {
    const { page, go } = visit;
    const { port } = receiver.address() as AddressInfo;
    await go('/webhooks');
    await page.getByText('No endpoint yet').waitFor();
    await page.getByRole('button', { name: 'Add endpoint' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill(`http://127.0.0.1:${port}/${'mailvet'.repeat(6)}`);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    const secret = (await page.getByLabel('New secret', { exact: true }).innerText()).trim();
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByText('Nothing was sent yet').waitFor();
    expect(await page.content()).not.toContain(secret);
    const wide = page.viewportSize()!;
    expect(await fitsWindow(page, { ...wide, width: 320 })).toBe(true);
    await page.setViewportSize(wide);

    await change('Send a test');
    await page.getByText('Delivered (200)').waitFor();
    const [{ headers, body }] = received as [Received];
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'webhook.test' });
    await page.getByRole('row', { name: 'webhook.test' }).getByRole('button', { name: 'Open' }).click();
    await page.getByLabel('What is sent').getByText('webhook.test').waitFor();
    await page.getByLabel('The answer').getByText('taken').waitFor();
    await page.getByRole('button', { name: 'Send again' }).click();
    expect(await waitUntil(async () => received.length === 2, { ms: 30_000 })).toBe(true);
    expect(received[1]!.headers['webhook-id']).toBe(headers['webhook-id']);

    await change('Replace the secret');
    await page.getByRole('button', { name: 'Replace secret' }).click();
    const second = (await page.getByLabel('New secret', { exact: true }).innerText()).trim();
    expect(second).not.toBe(secret);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await change('Switch off');
    await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click();
    await page.getByText('Off', { exact: true }).waitFor();
    await change('Remove');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No endpoint yet').waitFor();
    expect(visit.faults).toEqual([]);
  });
});

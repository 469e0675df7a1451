import { waitUntil } from '../support/wait-until.js';
import { describeInBrowser } from './support/chromium.js';
import {
  choosePassword,
  startConsoleInBrowser,
  type ConsoleInBrowser,
  type Visit,
} from './support/console-in-browser.js';
import { totpCode } from './support/totp.js';

/** As the page of lists does, which goes on holding the database. */
const keepFile = (value: string): string => `new Promise((done) => {
  const opening = indexedDB.open('mailvet-list-files');
  opening.onupgradeneeded = () => opening.result.createObjectStore('files');
  opening.onsuccess = () => {
    globalThis.kept = opening.result;
    kept.transaction('files', 'readwrite').objectStore('files').put(${value}, crypto.randomUUID()).onsuccess = () => done();
  };
})`;
const COUNT_FILES = `new Promise((done) => {
  const counting = kept.transaction('files').objectStore('files').count();
  counting.onsuccess = () => done(counting.result);
})`;

let console: ConsoleInBrowser;
let visit: Visit;

describeInBrowser('the sign-in', () => {
  beforeAll(async () => {
    console = await startConsoleInBrowser();
    visit = await console.open();
  });
  afterAll(() => console?.close());
  /** Nobody is signed in at the beginning of a test. */
  afterEach(async () => {
    await visit.page.evaluate('localStorage.clear(); sessionStorage.clear()');
    await visit.context.clearCookies();
  });

  const signOut = async (): Promise<void> => {
    await visit.page.getByRole('button', { name: 'You' }).click();
    await visit.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await visit.page.waitForURL('**/sign-in');
  };

  it('begins with a link that is good once, and ends with Sign out', async () => {
    const { page, go, signIn } = visit;
    const link = await console.invite('ada@example.com');
    await choosePassword(visit, link);
    await signOut();
    await signIn('ada@example.com');
    await signOut();
    await go(link);
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
  });

  it('refuses a wrong password without saying which of the two was wrong', async () => {
    const { page, go } = visit;
    await go('/sign-in');
    for (const email of ['ada@example.com', 'nobody@example.com']) {
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Password').fill('not the password');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('alert').getByText('That did not match').waitFor();
    }
  });

  it('leads back to the page that was asked for, with the keyboard alone', async () => {
    const { page, go } = visit;
    await go('/credits');
    await page.getByLabel('Email').waitFor();
    await page.keyboard.type('ada@example.com');
    await page.keyboard.press('Tab');
    await page.keyboard.type('correct horse battery staple');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Credits' }).waitFor();
    await go('/credits');
    await page.getByRole('heading', { level: 1, name: 'Credits' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
  });

  it('asks for a code once the second step is switched on, and takes a recovery code once', async () => {
    const { page, go } = visit;
    await choosePassword(visit, await console.invite('grace@example.com'));
    await go('/security?tab=you');
    await page.getByRole('button', { name: 'Switch on' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Password').fill('correct horse battery staple');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    const secret = (await dialog.getByLabel('Key', { exact: true }).innerText()).trim();
    await dialog.getByRole('img', { name: /QR code/ }).waitFor();
    await dialog.getByLabel('Authentication code').fill(totpCode(secret, Date.now()));
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('button', { name: 'I have kept them' }).waitFor();
    const [recovery = ''] = await dialog.getByRole('listitem').allInnerTexts();
    await dialog.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByText('Switched on').waitFor();
    await signOut();

    const withCode = async (code: string): Promise<void> => {
      await go('/sign-in');
      await page.getByLabel('Email').fill('grace@example.com');
      await page.getByLabel('Password').fill('correct horse battery staple');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByLabel('Authentication code').fill(code);
      await page.getByRole('button', { name: 'Continue' }).click();
    };
    await withCode(recovery);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await signOut();
    await withCode(recovery);
    await page.getByRole('alert').getByText('This code does not fit').waitFor();
  });

  it('shows nothing of an account to a member of another one', async () => {
    const other = await console.product.cli<{ id: string }>('account', 'create', '--name', 'Other', '--plan', 'scale');
    const { page, go } = visit;
    await console.enter(visit, 'eve@example.com', '--account', other.id, '--role', 'owner');
    await go(`/a/${console.accountId}/keys`);
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
  });

  it('leads an operator without an account to the password and the sessions', async () => {
    const { page, go } = visit;
    await console.enter(visit, 'otto@example.com', '--operator');
    await go('/');
    await page.getByRole('heading', { level: 1, name: 'Operation' }).waitFor();
    await page.getByRole('button', { name: 'You' }).click();
    await page.getByRole('menuitem', { name: 'Password and sessions' }).click();
    await page.getByRole('table', { name: 'Sessions' }).waitFor();
  });

  it('asks before a session ends and before a role changes', async () => {
    const { page, go } = visit;
    const member = ['--account', console.accountId, '--role'] as const;
    await console.invite('mia@example.com', ...member, 'viewer');
    const other = await console.open();
    await choosePassword(other, await console.invite('pia@example.com', ...member, 'owner'));
    await visit.signIn('pia@example.com');
    await go('/security?tab=you');
    await page.getByRole('button', { name: 'End the session of' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click();
    await page.getByText('The session has ended.').waitFor();
    await other.go('/keys');
    await other.page.waitForURL('**/sign-in?next=**');
    await other.close();

    await page.getByRole('tab', { name: 'Team' }).click();
    const role = page.getByLabel('Role of mia@example.com');
    await role.selectOption('Member');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('signs in again in every browser').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await role.inputValue()).toBe('viewer');
    await role.selectOption('Member');
    await dialog.getByRole('button', { name: 'Change the role' }).click();
    await page.getByText('mia@example.com is a member now').waitFor();
    await dialog.waitFor({ state: 'hidden' });
    expect(await role.inputValue()).toBe('member');
  });

  it('forgets the files that were kept when somebody signs out, also where another tab has them open', async () => {
    await console.enter(visit, 'kit@example.com', '--account', console.accountId, '--role', 'viewer');
    const tab = await visit.context.newPage();
    await tab.goto(`${console.console.url}/overview`);
    await tab.evaluate(keepFile("'a file'"));
    for (const days of [6.9, 7.1]) await tab.evaluate(keepFile(`{ keptAt: Date.now() - ${days} * 86_400_000 }`));
    expect(await tab.evaluate(COUNT_FILES)).toBe(3);
    // The page of lists forgets those that are older than seven days.
    await visit.go('/lists');
    expect(await waitUntil(async () => (await tab.evaluate(COUNT_FILES)) === 2, { ms: 30_000 })).toBe(true);
    await signOut();
    expect(await tab.evaluate(COUNT_FILES)).toBe(0);
    await tab.close();
  });

  it('shows at once which place was chosen, and where there is nothing', async () => {
    const { page, go } = visit;
    await console.enter(visit, 'nia@example.com', '--account', console.accountId, '--role', 'viewer');
    for (const path of ['keys/x', 'lists/x/y']) {
      await go(`/a/${console.accountId}/${path}`);
      await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
    }
    let send!: () => void;
    const sent = new Promise<void>((resolve) => (send = resolve));
    await page.route('**/assets/guard-page-*', (route) => sent.then(() => route.continue()));
    const guard = page.getByRole('link', { name: 'Guard', exact: true });
    await guard.click();
    await page.locator('a[aria-busy=true]').getByText('Guard').waitFor();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Not found');
    send();
    await page.getByRole('heading', { level: 1, name: 'Guard' }).waitFor();
    expect(await guard.getAttribute('aria-busy')).toBe('false');
    await page.unroute('**/assets/guard-page-*');
  });

  it('keeps its navigation where a page cannot be loaded', async () => {
    const { page, go } = visit;
    await console.enter(visit, 'ned@example.com', '--account', console.accountId, '--role', 'viewer');
    await go('/keys');
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    await page.route('**/assets/domains-page-*', (route) => route.abort());
    await page.getByRole('link', { name: 'Domains', exact: true }).click();
    await page.getByRole('alert').getByText('This page has failed').waitFor();
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  });

  it('lets a viewer look, and change nothing', async () => {
    const { page, go } = visit;
    await console.enter(visit, 'vera@example.com', '--account', console.accountId, '--role', 'viewer');
    await go('/keys');
    await page.getByText('You can look at keys here').waitFor();
    expect(await page.getByRole('button', { name: 'Create key' }).count()).toBe(0);
    await go('/verify');
    expect(await page.getByRole('button', { name: 'Verify', exact: true }).isDisabled()).toBe(true);
  });
});

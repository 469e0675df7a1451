import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { lookAtAll } from './support/accessibility.js';
import { describeInBrowser } from './support/chromium.js';
import {
  choosePassword,
  startConsoleInBrowser,
  type ConsoleInBrowser,
  type Visit,
} from './support/console-in-browser.js';

const PICTURES = resolve(__dirname, '../../.local/pictures');
const OWNER = 'olga@example.com';
const INVITED = 'ivy@example.com';

let console: ConsoleInBrowser;
let owner: Visit;
let guest: Visit;

describeInBrowser('somebody who has a sign-in already', () => {
  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    console = await startConsoleInBrowser();
    const other = await console.product.cli<{ id: string }>('account', 'create', '--name', 'Other', '--plan', 'scale');
    [owner, guest] = [await console.open(), await console.open()];
    await console.enter(owner, OWNER);
    await choosePassword(guest, await console.invite(INVITED, '--account', other.id, '--role', 'owner'));
  });
  afterAll(() => console?.close());

  const look = async ({ page }: Visit, name: string): Promise<void> => {
    await lookAtAll(page, async ({ width, colorScheme }, faults) => {
      await page.screenshot({ path: resolve(PICTURES, `console-${name}-${width}-${colorScheme}.png`) });
      expect(faults).toEqual([]);
    });
  };

  /** @returns the path of the link that the owner passes on */
  async function invite(): Promise<string> {
    const { page, go } = owner;
    await go('/security');
    await page.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email').fill(INVITED);
    await dialog.getByRole('button', { name: 'Invite' }).click();
    await page.getByText('has a sign-in already').waitFor();
    const link = await page.getByLabel('Link', { exact: true }).innerText();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    const { pathname, hash } = new URL(link.trim());
    return `${pathname}${hash}`;
  }

  it('joins by the link, after the sign-in to which it leads', async () => {
    const link = await invite();
    await owner.page.getByRole('table', { name: 'Invitations' }).getByText(INVITED).waitFor();
    await look(owner, 'invitations');

    await guest.context.clearCookies();
    await guest.go(link);
    const { page } = guest;
    await page.getByText('Sign in with the email that was invited').waitFor();
    await look(guest, 'join-signed-out');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Email').fill(INVITED);
    await page.getByLabel('Password').fill('correct horse battery staple');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText(`You are signed in as ${INVITED}`).waitFor();
    await look(guest, 'join');
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await page.waitForURL(`**/a/${console.accountId}/overview`);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

    await owner.go('/security');
    await owner.page.getByRole('table', { name: 'Members' }).getByText(INVITED).waitFor();
    expect(await owner.page.getByRole('table', { name: 'Invitations' }).count()).toBe(0);
    await owner.page.getByRole('button', { name: 'Remove' }).last().click();
    await owner.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await owner.page.getByText('is no longer a member').waitFor();
  });

  it('is told when somebody else is signed in, and comes back as themself', async () => {
    const link = await invite();
    const { page, go } = guest;
    await console.enter(guest, 'eve@example.com');
    await go(link);
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await page.getByRole('alert').getByText('This link is for somebody else').waitFor();
    await look(guest, 'join-somebody-else');
    await page.getByRole('button', { name: 'Sign in as somebody else' }).click();
    await page.waitForURL('**/sign-in');
    await page.getByLabel('Email').fill(INVITED);
    await page.getByLabel('Password').fill('correct horse battery staple');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText(`You are signed in as ${INVITED}`).waitFor();
  });

  it('cannot join when the owner has withdrawn the invitation', async () => {
    const link = await invite();
    await owner.page.getByRole('button', { name: 'Withdraw' }).click();
    await owner.page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await owner.page.getByText('is no longer invited').waitFor();
    await guest.go(link);
    await guest.page.getByRole('heading', { name: 'This link does not work' }).waitFor();
  });

  it('has pages that throw nothing, and ask no other host for anything', () => {
    for (const visit of [owner, guest]) expect([visit.faults, visit.strangers]).toEqual([[], []]);
  });
});

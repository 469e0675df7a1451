import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { ADDED_COLUMNS } from '../../web/src/lists/file/added-columns';
import { oldExcel, png, utf8, xlsx, type Cell } from '../../web/src/lists/file/testing/make-files';
import { ACCEPTED } from '../lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds } from '../lab/world.js';
import { lookAtAll } from './support/accessibility.js';
import { awkwardLists, fileOf, type AwkwardList } from './support/awkward-lists.js';
import { describeInBrowser } from './support/chromium.js';
import { startConsoleInBrowser, type ConsoleInBrowser, type Visit } from './support/console-in-browser.js';
import { ListsPage, NOTE_PROGRESS, type Download } from './support/lists-page.js';

jest.setTimeout(300_000);

const DOMAIN = 'leads.example';
const SLOW = 'slow.example';
const ADDRESSES = ['ann', 'bob', 'cy'].map((name) => `${name}@${DOMAIN}`);
const [ANN = '', BOB = ''] = ADDRESSES;
const NAMES = ADDED_COLUMNS.join(',');

const world = joinWorlds(
  domainWithHost(DOMAIN, { recipients: { ann: ACCEPTED, bob: ACCEPTED, cy: ACCEPTED } }),
  domainWithHost(SLOW, { otherRecipients: { lines: ACCEPTED, delayMs: 300 }, pipelining: false }),
);

let stage: ConsoleInBrowser;
let visit: Visit;
let page: Page;
let lists: ListsPage;

const listsPage = (on: Page): ListsPage => new ListsPage(on, stage.console.url, stage.accountId);

beforeAll(async () => {
  stage = await startConsoleInBrowser(world);
  await Promise.all([stage.product.startWorker(), stage.product.cli('credits', 'grant', stage.accountId, '1000000')]);
  // What moves is drawn anew sixty times a second.
  visit = await stage.open({ reducedMotion: 'reduce' });
  ({ page } = visit);
  await stage.enter(visit, 'ada@example.com');
  lists = listsPage(page);
});
afterAll(() => stage?.close());

describeInBrowser('an awkward file', () => {
  const all = awkwardLists(ADDRESSES);
  const outcomes = new Map<AwkwardList, Download & { readonly of: (email: string) => string }>();

  /** Most of the time passes while the worker waits for more: four pages at once are hardly slower than one. */
  beforeAll(async () => {
    const waiting = [...all];
    const lane = async (): Promise<void> => {
      const other = listsPage(await visit.context.newPage());
      for (let list = waiting.shift(); list !== undefined; list = waiting.shift()) {
        await other.check(list.fileName, fileOf(list));
        if (list.column !== undefined) {
          await other.page
            .getByLabel('Column with the addresses')
            .selectOption({ label: `${list.column} (addresses)` });
        }
        await other.start();
        await other.results();
        outcomes.set(list, { ...(await other.download('Everything')), of: await other.verdicts() });
      }
      await other.page.close();
    };
    await Promise.all([lane(), lane(), lane(), lane()]);
  });

  it.each(all.map((list) => [list.name, list] as const))('comes back byte by byte with its verdicts: %s', (_, list) => {
    const { name, bytes, of } = outcomes.get(list)!;
    expect(name).toBe(list.fileName.replace('.', '-checked.'));
    expect(of(ANN)).toMatch(/^valid,mailbox_accepts,true,allow,/);
    expect(bytes.toString('latin1')).toBe(fileOf(list, { names: NAMES, of }).toString('latin1'));
  });

  it('is an XLSX of 25,000 rows with dates and formulas, and comes back as CSV', async () => {
    const rows = Array.from({ length: 25_000 }, (_, index): Cell[] => [
      index,
      ADDRESSES[index % 3]!,
      { date: 45_000 + (index % 300) + 0.25 },
      { formula: `A${index + 2}*2`, value: index * 2 },
      '=HYPERLINK("x")',
    ]);
    const names = ['No', 'Mail', 'Since', 'Double', 'Note'];
    await lists.check('leads.xlsx', xlsx({ Leads: [names, ...rows] }, { sharedStrings: true }));
    await page.getByText('24,997').waitFor();
    await lists.start();
    await lists.results();
    const { name, bytes } = await lists.download('Deliverable only');
    const of = await lists.verdicts();
    expect(name).toBe('leads-deliverable.csv');
    const lines = bytes.toString('utf8').split('\r\n');
    expect(lines).toHaveLength(25_002);
    expect(lines[0]).toBe(`\ufeffNo,Mail,Since,Double,Note,${NAMES}`);
    expect(lines[1]).toBe(`0,${ANN},2023-03-15 06:00:00,0,"'=HYPERLINK(""x"")",${of(ANN)}`);
  });

  it('has 60 MB, and is read in the browser', async () => {
    const note = 'a note, that is long; '.repeat(5);
    const lines = Array.from({ length: 420_000 }, (_, index) => `${index},"${note}",lead${index}@${DOMAIN},2026-11-29`);
    const file = utf8(`id,note,mail,at\r\n${lines.join('\r\n')}\r\n`);
    expect(file.length).toBeGreaterThan(60_000_000);
    const folder = await mkdtemp(join(tmpdir(), 'mailvet-list-'));
    try {
      await writeFile(join(folder, 'large.csv'), file);
      await lists.open();
      await page.getByLabel('List file').setInputFiles(join(folder, 'large.csv'));
      await page.getByRole('button', { name: 'Check file' }).click();
      await page.getByText('For 420,000 addresses.').waitFor();
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it.each([
    ['nothing.csv', new Uint8Array(), 'This file is empty.'],
    ['picture.csv', png(), 'This is a PNG picture, not a list of addresses.'],
    ['old.xls', oldExcel(), 'This is an Excel file of the old kind (.xls). Open it and save it as XLSX or CSV.'],
    [
      'names.csv',
      utf8('Name,City\nAnn,Oslo\nBob,Rome\n'),
      'No column of this file holds email addresses. Each must stand in a cell of its own.',
    ],
  ])('is refused with a sentence that says why: %s', async (name, bytes, sentence) => {
    await lists.check(name, bytes);
    await page.getByRole('alert').getByText(sentence).waitFor();
  });
});

describeInBrowser('one address', () => {
  it('whose answer is lost is charged once with its repeat, and nobody is told that it was free', async () => {
    let charged = '';
    await page.route('**/verify', async (route) => {
      const answer = await route.fetch();
      charged = JSON.stringify(((await answer.json()) as { charged: object }).charged);
      await route.abort();
    });
    await page.getByRole('link', { name: 'Verify', exact: true }).click();
    await page.getByLabel('Address').fill(`lost@${DOMAIN}`);
    const verify = page.getByRole('button', { name: 'Verify', exact: true });
    await verify.click();
    await page.getByText('Verify it again: both tries are one charge.').waitFor();
    expect(charged).toBe('{"credits":0,"free_verifies":1}');
    await page.unroute('**/verify');
    const again = page.waitForResponse((response) => response.url().endsWith('/verify'));
    await verify.click();
    expect(((await (await again).json()) as { charged: object }).charged).toEqual({ credits: 0, free_verifies: 0 });
    await page.getByText('Cost nothing.').waitFor();
  });

  it('that is none has no domain that is looked at', async () => {
    await page.getByLabel('Address').fill(`two..dots@${DOMAIN}`);
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByText('This is no email address.').waitFor();
    expect(await page.getByRole('heading', { name: 'The domain' }).count()).toBe(0);
  });
});

describeInBrowser('a list', () => {
  const many = Array.from({ length: 400 }, (_, index) => `lead${index}@${SLOW}`);
  const file = utf8(`mail\n${many.join('\n')}\n`);

  it('is watched to its end, left, and come back to', async () => {
    await lists.check('many.csv', file);
    await lists.start();
    const address = page.url();
    const bar = page.getByRole('progressbar', { name: 'Addresses checked' });
    await bar.waitFor();
    const first = Number(await bar.getAttribute('aria-valuenow'));
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.waitForURL(/overview/);
    await page.goto(address);
    await page.evaluate(NOTE_PROGRESS);
    await lists.results();
    const seen = new Set([first, ...(await page.evaluate<number[]>('[...globalThis.progress]'))]);
    expect(Math.min(...seen)).toBeLessThan(50);
    expect(seen.size).toBeGreaterThan(2);
    await page.getByText('400 addresses', { exact: true }).waitFor();
  });

  it('is searched by address, verdict and reason', async () => {
    const find = page.getByLabel('Find an address');
    await find.fill('lead399@');
    await page.getByText('1 of 400 addresses').waitFor();
    await find.fill('');
    await page.getByText('400 addresses', { exact: true }).waitFor();
  });

  it('asks for its file again after a reload, and takes no other', async () => {
    await page.reload();
    await lists.results();
    await lists.choose('other.csv', utf8(`mail\n${ANN}\n`));
    await page
      .getByRole('alert')
      .getByText(/not the file that was checked/)
      .waitFor();
    await lists.choose('many.csv', file);
    const { bytes } = await lists.download('Everything');
    expect(bytes.toString('utf8').split('\n')).toHaveLength(402);
  });

  it('is sent on where it stopped, and paid once', async () => {
    const addresses = Array.from({ length: 10_500 }, (_, index) => `lead${index}@no-such-domain.example`);
    const parts = utf8(`mail\n${addresses.join('\n')}\n`);
    await page.route('**/parts/2', (route) => route.abort());
    await lists.check('parts.csv', parts);
    await lists.start();
    await page.getByText('Waiting: No answer came').waitFor();
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText('1 of 2 parts have been sent').waitFor();
    await page.unroute('**/parts/2');
    await lists.choose('parts.csv', parts);
    await lists.results();
    await page.getByText(/^10,500 addresses, standard mode, 10,000 credits and 500 free verifies/).waitFor();
  });

  it('is started once somebody has signed in again whose session ended', async () => {
    const cookies = await visit.context.cookies();
    await lists.check('ended.csv', utf8(`mail\n${ANN}\n`));
    const start = page.getByRole('button', { name: 'Start', exact: true });
    await start.and(page.locator(':enabled')).waitFor();
    await visit.context.clearCookies();
    await start.click();
    await page.getByRole('alert').getByText('Sign in again in another tab').waitFor();
    await visit.context.addCookies(cookies);
    await lists.start();
    await lists.results();
  });

  it('is followed by asking where a proxy cuts the events', async () => {
    await page.route('**/events', (route) => route.abort());
    const some = Array.from({ length: 100 }, (_, index) => `polled${index}@${SLOW}`);
    await lists.check('polled.csv', utf8(`mail\n${some.join('\n')}\n`));
    await lists.start();
    await lists.results();
    await page.unroute('**/events');
  });

  it('comes from the sheet of a workbook that has the addresses, also when the workbook is chosen again', async () => {
    const sheets = { 'Read me': [['Leads of May']], First: [['Mail'], [BOB]], Second: [['Mail'], [ANN]] };
    await lists.check('book.xlsx', xlsx(sheets));
    expect(await page.getByLabel('Sheet').inputValue()).toBe('First');
    await page.getByLabel('Sheet').selectOption('Second');
    await lists.start();
    await lists.results();
    await page.reload();
    await lists.results();
    await lists.choose('book.xlsx', xlsx(sheets));
    const { bytes } = await lists.download('Everything');
    expect(bytes.toString('utf8')).toContain(`${ANN},valid,`);
  });

  it('says so where the price cannot be told, and tries again', async () => {
    await page.route('**/overview?*', (route) => route.fulfill({ status: 404, body: '{}' }));
    await lists.check('unpriced.csv', utf8(`mail\n${ANN}\n`));
    await page.getByRole('alert').getByText('The service answered with status 404').waitFor();
    await page.unroute('**/overview?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('For 1 address.').waitFor();
  });

  it('keeps its file on this computer when somebody asks for it', async () => {
    await lists.check('kept.csv', utf8(`mail\n${ADDRESSES.join('\n')}\n`));
    await page.getByLabel('Keep on this computer for 7 days').check();
    await lists.start();
    await lists.results();
    await page.reload();
    const { name } = await lists.download('Everything');
    expect(name).toBe('kept-checked.csv');
  });

  it('can be used by everybody in both widths and schemes, as can a file that is looked at', async () => {
    const faults: string[] = [];
    const look = () =>
      lookAtAll(page, ({ width, colorScheme }, found) =>
        faults.push(...found.map((fault) => `${width} px, ${colorScheme}: ${fault}`)),
      );
    await page.getByText('3 addresses', { exact: true }).waitFor();
    await look();
    await lists.check('two.csv', utf8(`Owner,Contact\n${ANN},${BOB}\n`));
    await page.getByText('Choose the column first.').waitFor();
    await look();
    expect(faults).toEqual([]);
  });

  it('asks no other host for anything', () => {
    expect(visit.strangers).toEqual([]);
    expect(visit.faults).toEqual([]);
  });
});

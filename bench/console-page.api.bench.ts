/**
 * The console's page in a Chromium: the time until a person can use it, from an empty cache, and until a list of 10,000
 * addresses shows what was searched, filtered or sorted. All of them have a limit.
 */
import type { Browser, Page } from 'playwright-core';
import { startChromium } from '../test/support/start-chromium.js';
import { apiUnderTest } from './lib/api-under-test.js';
import { makeConsoleMember, type ConsoleMember } from './lib/console-member.js';
import { startConsole } from './lib/console-under-test.js';
import { report, type Figure } from './lib/figure.js';
import { makeList } from './lib/long-list.js';
import { inTurns } from './lib/rounds.js';

const LOAD_LIMIT_MS = 1500;
const FILTER_LIMIT_MS = 100;
const LONG = 10_000;
const SHORT = 100;

async function main(): Promise<void> {
  const { databaseUrl } = apiUnderTest();
  const member = await makeConsoleMember(databaseUrl);
  const [long, short] = [await list(member, LONG), await list(member, SHORT)];
  const [console, browser] = [await startConsole(), await startChromium()];
  try {
    report([
      ...(await loads(browser, console.url, member)),
      ...(await filters(browser, console.url, member, { long, short })),
    ]);
  } finally {
    await browser.close();
    await console.stop();
  }
}

function list({ account, keyId }: ConsoleMember, length: number): Promise<string> {
  return makeList(apiUnderTest().databaseUrl, account, keyId, length);
}

/** Until the figures are there and an element takes what is typed, or the focus. */
async function loads(browser: Browser, url: string, member: ConsoleMember): Promise<Figure[]> {
  const usable = {
    'the sign-in': async (page: Page) => {
      await page.goto(`${url}/sign-in`, { waitUntil: 'commit' });
      await page.getByLabel('Email').fill('ada@example.com');
    },
    'the overview, signed in': async (page: Page) => {
      await page.goto(`${url}/a/${member.account}/overview`, { waitUntil: 'commit' });
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      await page.getByText('Verified in 30 days').waitFor();
      await page.getByRole('link', { name: 'Statement' }).focus();
    },
  };
  const figures: Figure[] = [];
  for (const [what, use] of Object.entries(usable)) {
    const timed = async (page: Page): Promise<number> => {
      const began = performance.now();
      await use(page);
      return performance.now() - began;
    };
    const times = await inTurns({
      cold: () => withPage(browser, url, member, timed),
      warm: () =>
        withPage(browser, url, member, async (page) => {
          await use(page);
          await page.goto('about:blank');
          return timed(page);
        }),
    });
    figures.push({
      what: `${what}, from an empty cache: until it can be used`,
      unit: 'ms',
      rounds: times.cold,
      baseline: { what: 'from a full cache', rounds: times.warm },
      atMost: LOAD_LIMIT_MS,
    });
  }
  return figures;
}

/** A new profile, signed in. */
async function withPage<Value>(
  browser: Browser,
  url: string,
  { token }: ConsoleMember,
  use: (page: Page) => Promise<Value>,
): Promise<Value> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    await context.addCookies([{ name: 'mailvet', value: token, url }]);
    return await use(await context.newPage());
  } finally {
    await context.close();
  }
}

/** What a person does to the table, as a script in the page. The table begins and ends with all rows. */
const CHANGES: Readonly<Record<string, { readonly apply: string; readonly undo: string }>> = {
  'the search for an address': { apply: `type('person-7')`, undo: `type('')` },
  'the filter by a verdict': { apply: `chip().click()`, undo: `chip().click()` },
  'the filter by a reason': { apply: `choose(1)`, undo: `choose(0)` },
};

/**
 * Helpers in the page. `timed` waits until the line below the table says another number, and that frame is painted.
 */
const HELPERS = `
  const typed = (element, prototype, value, event) => {
    Object.getOwnPropertyDescriptor(prototype, 'value').set.call(element, value);
    element.dispatchEvent(new Event(event, { bubbles: true }));
  };
  const type = (text) =>
    typed(document.querySelector('[aria-label="Find an address"]'), HTMLInputElement.prototype, text, 'input');
  const choose = (index) => {
    const select = document.querySelector('select[aria-label="Reason"]');
    typed(select, HTMLSelectElement.prototype, select.options[index].value, 'change');
  };
  const chip = () => document.querySelector('[aria-label="Verdicts to show"] input');
  const said = () => [...document.querySelectorAll('[aria-live=polite]')].map((one) => one.textContent).join();
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const timed = async (change) => {
    const before = said();
    await frame();
    const began = performance.now();
    change();
    while (said() === before) await frame();
    await frame();
    return performance.now() - began;
  };
`;

async function filters(
  browser: Browser,
  url: string,
  member: ConsoleMember,
  lists: { readonly long: string; readonly short: string },
): Promise<Figure[]> {
  const figures: Figure[] = [];
  const openOn = async (page: Page, id: string, length: number): Promise<Page> => {
    await page.goto(`${url}/a/${member.account}/lists/${id}`);
    await page.getByText(`${length.toLocaleString('en')} addresses`, { exact: true }).waitFor();
    return page;
  };
  await withPage(browser, url, member, async (first) => {
    const long = await openOn(first, lists.long, LONG);
    const short = await openOn(await first.context().newPage(), lists.short, SHORT);
    for (const [what, { apply, undo }] of Object.entries(CHANGES)) {
      const times = async (page: Page): Promise<number> => {
        await page.bringToFront();
        return page.evaluate<number>(`(async () => {
          ${HELPERS}
          const time = await timed(() => ${apply});
          await timed(() => ${undo});
          return time;
        })()`);
      };
      const rounds = await inTurns({ long: () => times(long), short: () => times(short) });
      figures.push({
        what: `${what} in ${LONG.toLocaleString('en')}: until it is shown`,
        unit: 'ms',
        rounds: rounds.long,
        baseline: { what: `in ${SHORT}`, rounds: rounds.short },
        atMost: FILTER_LIMIT_MS,
      });
    }
  });
  return figures;
}

void main();

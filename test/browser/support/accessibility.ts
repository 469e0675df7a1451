import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { waitUntil } from '../../support/wait-until.js';

const source = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

export interface Look {
  readonly width: number;
  readonly height: number;
  readonly colorScheme: 'light' | 'dark';
}

/** In this order no look is another load of the page. */
export const LOOKS: readonly Look[] = [
  { width: 1440, height: 900, colorScheme: 'light' },
  { width: 1440, height: 900, colorScheme: 'dark' },
  { width: 360, height: 740, colorScheme: 'dark' },
  { width: 360, height: 740, colorScheme: 'light' },
];

/** Of windows zoomed to 400 % (WCAG 1.4.10) and 200 %, of tablets, and of windows beside others. */
const FURTHER_WIDTHS = [320, 480, 760, 800, 1000];

/** Whether everything has come, and no colour is on its way to another one. */
const IS_STILL = `document.querySelector('.mantine-Skeleton-root, .mantine-Loader-root') === null
  && document.getAnimations().every((one) => !(one instanceof CSSTransition))`;

/**
 * What keeps people from using the page that is open, in every width and scheme. It ends wide and light.
 * @param each called in every look, with what was found in it
 */
export async function lookAtAll(page: Page, each: (look: Look, faults: readonly string[]) => unknown): Promise<void> {
  // Where it rests on a chart, the tooltip stays at its place when the window gets narrower, and makes the page wider.
  await page.mouse.move(0, 0);
  for (const look of LOOKS) {
    const { width, height, colorScheme } = look;
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
    await waitUntil(() => page.evaluate<boolean>(IS_STILL), { ms: 30_000 });
    const found = colorScheme === 'light' ? await accessibilityFaults(page) : await contrastFaults(page);
    const widths = look === LOOKS[0] ? [...FURTHER_WIDTHS, width] : [width];
    for (const one of widths) {
      if (!(await fitsWindow(page, { width: one, height }))) found.push(`wider than a window of ${one} px`);
    }
    await each(look, found);
  }
  const [{ width, height }] = LOOKS as [Look];
  await page.setViewportSize({ width, height });
}

/** By axe-core: its serious and critical findings, in words. */
export function accessibilityFaults(page: Page): Promise<string[]> {
  return faultsBy(page, {});
}

/** The findings that another colour scheme may add to those of the first: all other rules are blind to colours. */
function contrastFaults(page: Page): Promise<string[]> {
  return faultsBy(page, { runOnly: ['color-contrast', 'link-in-text-block'] });
}

async function faultsBy(page: Page, options: object): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(source);
  const violations = await page.evaluate(async (rules) => {
    const { axe } = globalThis as unknown as { axe: { run(how: object): Promise<{ violations: Violation[] }> } };
    return (await axe.run({ ...rules, resultTypes: ['violations'] })).violations;
  }, options);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary ?? ''}`));
}

/** Whether the page is wider than the window, which on a phone nobody wants to scroll sideways. */
/** Gives the page a window of that size. False: it can be scrolled sideways there. */
export async function fitsWindow(page: Page, size: Pick<Look, 'width' | 'height'>): Promise<boolean> {
  await page.setViewportSize(size);
  // The navigation begins to slide a frame after that, and charts take their width a moment later.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  await waitUntil(() => page.evaluate<boolean>(IS_STILL), { ms: 30_000 });
  return (await waitUntil(async () => !(await isTooWide(page)), { ms: 10_000 })) !== null;
}

function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = (globalThis as unknown as { document: { documentElement: never } }).document
      .documentElement as { scrollWidth: number; clientWidth: number };
    return scrollWidth > clientWidth;
  });
}

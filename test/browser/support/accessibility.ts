import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const source = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** What keeps people from using a page, by axe-core: its serious and critical findings, in words. */
export function accessibilityFaults(page: Page): Promise<string[]> {
  return faultsBy(page, {});
}

/** The findings that another colour scheme may add to those of the first: all other rules are blind to colours. */
export function contrastFaults(page: Page): Promise<string[]> {
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
export function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = (globalThis as unknown as { document: { documentElement: never } }).document
      .documentElement as { scrollWidth: number; clientWidth: number };
    return scrollWidth > clientWidth;
  });
}

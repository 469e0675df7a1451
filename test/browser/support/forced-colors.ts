import type { Page } from 'playwright-core';

/**
 * Marks whatever shows something by a background alone, as bars do, or the mark of what is chosen: it stands out from
 * what is behind it, and has neither text nor picture. Skeletons are no news.
 */
const MARK_DRAWN = `(() => {
  const seen = (one) => { const { width, height } = one.getBoundingClientRect(); return width > 0 && height > 0; };
  const plain = [...document.querySelectorAll('body *')].filter((one) => !(one instanceof SVGElement) && seen(one)
    && one.textContent.trim() === '' && one.querySelector('svg, img, input') === null
    && !one.matches('img, input, select, [class*=Skeleton]'));
  globalThis.isOpaque = (color) => !/^rgba\\(.*, 0\\)$|^transparent$/.test(color);
  globalThis.drawn = plain.filter((one) => isOpaque(getComputedStyle(one).backgroundColor));
  return drawn.length;
})()`;

/** Those that have neither a background of their own any more nor a line around them. */
const FIND_LOST = `(() => {
  const behind = (one) => {
    const color = one === null ? 'none' : getComputedStyle(one).backgroundColor;
    return one === null || isOpaque(color) ? color : behind(one.parentElement);
  };
  const isLined = ({ borderTopWidth, outlineStyle, borderTopStyle }) =>
    outlineStyle !== 'none' || (borderTopStyle !== 'none' && parseFloat(borderTopWidth) > 0);
  return drawn.filter((one) => one.isConnected && !isLined(getComputedStyle(one))
    && getComputedStyle(one).backgroundColor === behind(one.parentElement)).map((one) => one.outerHTML.slice(0, 120));
})()`;

/** What the page shows by backgrounds alone, and would not show where the reader sets the colours (forced-colors). */
export async function lostWithForcedColors(page: Page): Promise<{ drawn: number; lost: string[] }> {
  const drawn = await page.evaluate<number>(MARK_DRAWN);
  await page.emulateMedia({ forcedColors: 'active' });
  const lost = await page.evaluate<string[]>(FIND_LOST);
  await page.emulateMedia({ forcedColors: 'none' });
  return { drawn, lost };
}

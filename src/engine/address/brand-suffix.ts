import type { MailBrand } from './data/mail-brands.js';
import { ONE_SLIP, typingCost } from './typing-cost.js';

/** Cost of a suffix unlike any of the brand's. */
const FOREIGN = 15;

/** Real suffixes that, after a brand name, are usually a mistyped `com` or `net`. */
const MISTYPED = new Set(['co', 'cm', 'om', 'cam', 'ne']);

export interface MeantSuffix {
  readonly suffix: string;
  /** In tenths of an edit, as in `typingCost`. */
  readonly cost: number;
}

/**
 * Finds the brand's suffix that `suffix` most likely misspells, and its cost; `Infinity` if the suffix rules the brand
 * out. `publicSuffix` is the domain's registered suffix, or null if its top-level domain does not exist.
 */
export function meantSuffix(
  suffix: string,
  publicSuffix: string | null,
  brand: MailBrand,
  nameDiffers: boolean,
): MeantSuffix {
  if (brand.suffixes.includes(suffix)) return { suffix, cost: 0 };
  const main = brand.suffixes[0] ?? '';
  const toMain = suffix.length === 1 ? ONE_SLIP : typingCost(suffix, main, FOREIGN);
  if (publicSuffix !== null) {
    const short = brand.name.length < (brand.reach === 'global' ? 3 : 5);
    if (MISTYPED.has(suffix) && toMain <= ONE_SLIP && !short) return { suffix: main, cost: toMain };
    if (nameDiffers || !brand.distinctive) return { suffix: main, cost: Infinity };
    const country = brand.suffixes.find((own) => own.endsWith(`.${suffix}`) || isLengthened(suffix, own));
    if (country !== undefined) return { suffix: country, cost: ONE_SLIP };
    const nearest = nearestSuffix(suffix, brand);
    if (nearest !== null) return nearest;
    // `gmail.example.com` is somebody's host; `hotmail.com.com` is not.
    if (suffix !== publicSuffix && !suffix.startsWith(`${main}.`)) return { suffix: main, cost: Infinity };
  }
  if (toMain <= ONE_SLIP) return { suffix: main, cost: toMain };
  return nearestSuffix(suffix, brand) ?? { suffix: main, cost: brand.distinctive ? FOREIGN : toMain };
}

/** True for `com.fr` and `co.fr` instead of `fr`. */
function isLengthened(suffix: string, own: string): boolean {
  return suffix === `com.${own}` || suffix === `co.${own}`;
}

/** The brand's suffix that is one slip away, or null. */
function nearestSuffix(suffix: string, brand: MailBrand): MeantSuffix | null {
  let nearest: MeantSuffix | null = null;
  for (const own of brand.suffixes) {
    const cost = typingCost(suffix, own, ONE_SLIP);
    if (cost < (nearest?.cost ?? Infinity)) nearest = { suffix: own, cost };
  }
  return nearest;
}

import type { Mode } from '../engine/verdict/result.js';
import { FREE, paysForEnhanced, priceOf, unitPrice } from './price.js';

describe('unitPrice', () => {
  it.each<[Mode, boolean, number]>([
    ['quick', false, 0],
    ['quick', true, 0],
    ['standard', false, 1],
    ['standard', true, 1],
    ['enhanced', false, 3],
    ['enhanced', true, 1],
  ])('%s, known catch-all: %s, costs %i', (mode, knownCatchAll, credits) => {
    expect(unitPrice({ mode, knownCatchAll })).toBe(credits);
  });
});

it('an address that costs more than the standard rate was checked in enhanced mode', () => {
  expect([1, 3].map(paysForEnhanced)).toEqual([false, true]);
});

describe('priceOf', () => {
  it('counts every billed address, repeats included, and no free one', () => {
    expect(priceOf([1, 0, 1, 1])).toEqual({ addresses: 3, credits: 3, unitPrice: 1 });
    expect(priceOf([3])).toEqual({ addresses: 1, credits: 3, unitPrice: 3 });
  });

  it('has no unit price if the addresses of a call cost different amounts', () => {
    expect(priceOf([3, 1])).toEqual({ addresses: 2, credits: 4, unitPrice: null });
  });

  it('is zero if no address is billed', () => {
    expect(priceOf([0, 0])).toEqual(FREE);
    expect(priceOf([])).toEqual(FREE);
  });
});

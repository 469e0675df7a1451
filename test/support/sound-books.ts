import type { Product } from './product.js';

/** Every balance of the product is what its ledger adds up to, however long that is. */
export async function expectSoundBooks(product: Pick<Product, 'cli'>): Promise<void> {
  const audit = await product.cli('ledger', 'audit', '--full');
  expect(audit).toEqual({ accounts: expect.any(Number) as number, mismatches: [] });
  expect(audit).not.toMatchObject({ accounts: 0 });
}

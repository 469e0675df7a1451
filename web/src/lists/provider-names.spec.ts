import { PROVIDER_TABLE } from '../../../src/engine/smtp/providers/provider-table.js';
import { REASONS } from '../../../src/engine/verdict/result.js';
import { PROVIDER_NAMES } from './provider-names';
import { REASON_NAMES } from './reason-names';

describe('names on the page of lists', () => {
  it('has those of the engine for providers', () => {
    const names = Object.fromEntries(PROVIDER_TABLE.map(({ id, name }) => [id, name]));
    expect(PROVIDER_NAMES).toEqual({ ...names, other: 'Others' });
  });

  it('has one for each reason of the engine, and for what has no verdict', () => {
    expect(Object.keys(REASON_NAMES).sort()).toEqual([...REASONS, 'invalid_email', 'verify_unavailable'].sort());
  });
});

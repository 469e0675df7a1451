import { politenessOptions } from './politeness-options.js';

const unset = { maxConnections: null, recipientsPerMinute: null };

it('limits apply on the internet by default', () => {
  expect(politenessOptions({ ...unset, allowPrivateNetworks: false })).toEqual({
    limits: { maxConnections: 2, recipientsPerMinute: 60 },
  });
});

it('a laboratory has none by default', () => {
  expect(politenessOptions({ ...unset, allowPrivateNetworks: true })).toEqual({
    limits: { maxConnections: 20, recipientsPerMinute: 60_000 },
    providerStrikes: Number.POSITIVE_INFINITY,
    firstPauseMs: 1000,
  });
});

it('configured limits apply to both', () => {
  const chosen = { maxConnections: 7, recipientsPerMinute: 11 };
  const limits = [true, false].map((allowPrivateNetworks) => politenessOptions({ ...chosen, allowPrivateNetworks }));
  expect(limits).toMatchObject([{ limits: chosen }, { limits: chosen }]);
});

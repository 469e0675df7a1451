import { AccountDeletionService } from './account-deletion.service.js';

/** An account that was suspended so long ago, and what is done to it, in order. */
function serviceFor({ account = true, deletedBefore = false, suspendedForMs = 0 } = {}) {
  const steps: string[] = [];
  const note = async (step: string): Promise<void> => void steps.push(step);
  const data = ['jobs', 'money'].map((name) => ({
    count: async () => ({ [name]: 3 }),
    erase: () => note(`${name} erased`),
    eraseAfter: () => note(`${name} erased for good`),
  }));
  const service = new AccountDeletionService({
    accounts: {
      findById: async () => (account ? ({ name: 'Acme' } as never) : null),
      setSuspended: async () => {
        if (account) steps.push('suspended');
        return account;
      },
    },
    deletion: {
      suspendedForMs: async () => suspendedForMs,
      keys: async () => 2,
      delete: () => note('deleted'),
      wasDeleted: async () => deletedBefore,
      forgetActs: () => note('acts forgotten'),
    },
    data,
    wait: (ms) => note(`waited ${ms}`),
  });
  return { service, steps };
}
const AFTERWARDS = ['jobs erased', 'money erased', 'jobs erased for good', 'money erased for good', 'acts forgotten'];

it('erases the data before the account row, and once more when running calls have ended', async () => {
  const { service, steps } = serviceFor();
  expect(await service.delete('id', 'me')).toBe(true);
  expect(steps).toEqual(['suspended', 'waited 15000', 'jobs erased', 'money erased', 'deleted', ...AFTERWARDS]);
});

it.each([
  [4000, ['waited 11000']],
  [60_000, []],
  // A clock that went back.
  [-60_000, ['waited 15000']],
])('waits for what is left of that time: suspended %s ms ago', async (suspendedForMs, waited) => {
  const { service, steps } = serviceFor({ suspendedForMs });
  await service.delete('id', 'me');
  expect(steps.filter((step) => step.startsWith('waited'))).toEqual(waited);
});

it('continues after the account row is gone, and reports an account that never existed', async () => {
  const cutOff = serviceFor({ account: false, deletedBefore: true });
  expect(await cutOff.service.delete('id', 'me')).toBe(true);
  expect(cutOff.steps).toEqual(AFTERWARDS);
  const unknown = serviceFor({ account: false });
  expect(await unknown.service.delete('id', 'me')).toBe(false);
  expect(unknown.steps).toEqual([]);
});

it('counts what the account has', async () => {
  expect(await serviceFor().service.holdings('id')).toEqual({ name: 'Acme', counts: { keys: 2, jobs: 3, money: 3 } });
  expect(await serviceFor({ account: false }).service.holdings('id')).toBeNull();
});

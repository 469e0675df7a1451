import { plan } from '../../test/factories/plan.js';
import { addressesCounted, requireRoom, type JobsHeld } from './job-bounds.js';
import { readNewEntries } from './new-entries.js';

const NONE: JobsHeld = { jobs: 0, addresses: 0, processing: 0, leftJobs: 0, leftAddresses: 0 };
const FREE = plan();
const UNLIMITED = plan({ jobsKept: null, addressesKept: null, jobsProcessing: null });

const refusal = (held: Partial<JobsHeld>, addresses: number, of = FREE): unknown => {
  try {
    requireRoom({ ...NONE, ...held }, of, addresses);
    return null;
  } catch (error) {
    return error;
  }
};

describe('room for a job', () => {
  it.each<[string, Partial<JobsHeld>, number]>([
    ['the last of the jobs kept', { jobs: 19 }, 1],
    ['the last of the jobs processing', { processing: 1 }, 1],
    ['the last of the addresses', { addresses: 40_000 }, 10_000],
    ['as much again that waits to be removed', { leftJobs: 19, leftAddresses: 49_999 }, 10_000],
  ])('is there for %s', (_, held, addresses) => {
    expect(refusal(held, addresses)).toBeNull();
  });

  it.each<[string, Partial<JobsHeld>, number, string]>([
    ['jobs kept', { jobs: 20 }, 1, 'keeps at most 20 jobs;'],
    ['jobs processing', { processing: 2 }, 1, 'at most 2 jobs processing'],
    [
      'addresses kept',
      { addresses: 40_000 },
      10_001,
      'at most 50000 addresses in jobs; 40000 are kept and this job counts as 10001',
    ],
  ])('is not there beyond the %s, which the message names', (_, held, addresses, message) => {
    expect(refusal(held, addresses)).toMatchObject({
      code: 'quota_exceeded',
      message: expect.stringContaining(message),
      retryAfterSeconds: undefined,
    });
  });

  it.each<Partial<JobsHeld>>([{ leftJobs: 20 }, { leftAddresses: 50_000 }])(
    'is there in a minute where too much waits to be removed: %j',
    (held) => {
      expect(refusal(held, 1)).toMatchObject({ code: 'quota_exceeded', retryAfterSeconds: 60 });
    },
  );

  it('lets a plan of one job delete and submit again', () => {
    expect(refusal({ leftJobs: 5 }, 1, plan({ jobsKept: 1 }))).toBeNull();
  });

  it('is unlimited with an unlimited plan', () => {
    const much = { jobs: 1e6, addresses: 1e9, processing: 1e6, leftJobs: 1e6, leftAddresses: 1e9 };
    expect(refusal(much, 10_000, UNLIMITED)).toBeNull();
  });
});

describe('the counted size of entries', () => {
  const counted = async (...sent: unknown[]): Promise<number> =>
    addressesCounted(await readNewEntries(sent, 'standard', async () => new Set()));
  const longest = `${'a'.repeat(64)}@${'b.'.repeat(125)}com`;

  it.each<[string, unknown, number]>([
    ['an address', 'ada@example.com', 1],
    ['the longest address', longest, 1],
    ['an address among white space', ` ${' '.repeat(700)}ada@example.com`, 3],
    ['an address among wide white space', `${'\u3000'.repeat(300)}ada@example.com`, 3],
    ['what is no address', 'no address', 1],
    ['nothing', '', 1],
    ['what is no text', { much: 'x'.repeat(5000) }, 1],
    ['text of 320 octets', 'x'.repeat(320), 1],
    ['text of 321 octets', 'x'.repeat(321), 2],
    ['text of 900 octets', '€'.repeat(300), 3],
    ['text that is larger than any address may be', 'x'.repeat(320_000), 1000],
  ])('%s', async (_, sent, count) => {
    expect(await counted(sent)).toBe(count);
  });

  it('is summed up', async () => {
    expect(await counted('ada@example.com', 'no address', 'x'.repeat(321))).toBe(4);
  });
});

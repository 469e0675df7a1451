import { CallTime, inTime } from './call-time.js';

describe('the time of a call', () => {
  let now = 0;
  beforeEach(() => {
    now = 1000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => jest.restoreAllMocks());

  it('is the whole budget for a caller that waits', () => {
    const time = new CallTime(8000, null);
    now += 3000;
    expect([time.leftMs(), time.patienceMs()]).toEqual([5000, 5000]);
  });

  it('ends for the caller before it ends for the check', () => {
    const time = new CallTime(8000, 500);
    now += 200;
    expect([time.leftMs(), time.patienceMs()]).toEqual([7800, 300]);
    now += 1000;
    expect([time.leftMs(), time.patienceMs()]).toEqual([6800, 1]);
  });

  it('is never longer for the caller than for the check', () => {
    expect(new CallTime(100, 500).patienceMs()).toBe(100);
  });
});

describe('inTime', () => {
  it('resolves to the result of the work, or to null if the work takes longer', async () => {
    expect(await inTime(Promise.resolve('done'), 1000)).toBe('done');
    expect(await inTime(new Promise(() => undefined), 1)).toBeNull();
    expect((await Promise.allSettled([inTime(Promise.reject(new Error('failed')), 1000)]))[0]).toMatchObject({
      status: 'rejected',
    });
  });
});

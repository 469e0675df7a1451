import { partNames, partOf } from './queue-parts.js';

describe('parts of a queue', () => {
  it('are the queue itself where it is not split', () => {
    expect(partNames('job-batch', { 'smtp-probe': 3 })).toEqual(['job-batch']);
    expect(partNames('smtp-probe', { 'smtp-probe': 1 })).toEqual(['smtp-probe']);
    expect(partOf('probe-a', 1)).toBe(0);
  });

  it('have names of their own beside it', () => {
    expect(partNames('smtp-probe', { 'smtp-probe': 3 })).toEqual(['smtp-probe', 'smtp-probe-2', 'smtp-probe-3']);
  });

  it('get the same job each time, and equal shares of all jobs', () => {
    const shares = [0, 0, 0];
    for (let n = 0; n < 3000; n++) shares[partOf(`probe-${n}`, 3)]! += 1;
    expect(partOf('probe-7', 3)).toBe(partOf('probe-7', 3));
    for (const share of shares) expect(share).toBeGreaterThan(900);
  });
});

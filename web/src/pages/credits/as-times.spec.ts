import { asTimes } from './as-times';

describe('the days of a statement', () => {
  it('are both included, in the time of the browser', () => {
    const times = asTimes({ from: '2026-11-01', to: '2026-11-30' });
    expect(times).toEqual({
      from: new Date(2026, 10, 1).toISOString(),
      to: new Date(2026, 11, 1).toISOString(),
    });
  });

  it('may be one and the same', () => {
    const { from, to } = asTimes({ from: '2026-11-28', to: '2026-11-28' });
    expect(Date.parse(to) - Date.parse(from)).toBe(86_400_000);
  });

  it('may be left out', () => {
    expect(asTimes({ from: '', to: '' })).toEqual({ from: '', to: '' });
  });

  it('stay as they are where the address of the page holds none', () => {
    expect(asTimes({ from: 'x', to: '2026-13-01' })).toEqual({ from: 'x', to: '2026-13-01' });
  });
});

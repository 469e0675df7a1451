import { parseTraceParent, toTraceParent } from './trace-parent.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('parseTraceParent', () => {
  it('reads the example of W3C Trace Context', () => {
    const read = { traceId: TRACE, spanId: SPAN, traceFlags: 1, isRemote: true };
    expect(parseTraceParent(`00-${TRACE}-${SPAN}-01`)).toEqual(read);
    expect(parseTraceParent(`00-${TRACE}-${SPAN}-00`)).toEqual({ ...read, traceFlags: 0 });
  });

  it('keeps only the sampled flag', () => {
    expect(parseTraceParent(`00-${TRACE}-${SPAN}-ff`)?.traceFlags).toBe(1);
    expect(parseTraceParent(`00-${TRACE}-${SPAN}-fe`)?.traceFlags).toBe(0);
  });

  it.each([
    undefined,
    null,
    7,
    ['a', 'b'],
    { traceId: TRACE },
    '',
    `00-${TRACE}-${SPAN}`,
    `01-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    ` 00-${TRACE}-${SPAN}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE}-${SPAN}-0g`,
    'x'.repeat(100_000),
  ])('ignores %j', (text) => {
    expect(parseTraceParent(text)).toBeUndefined();
  });

  it('writes what it reads', () => {
    const text = `00-${TRACE}-${SPAN}-01`;
    const read = parseTraceParent(text);
    expect(read && toTraceParent(read)).toBe(text);
  });
});

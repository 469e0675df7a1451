'use strict';

/**
 * Loaded into a process (`NODE_OPTIONS=--require=…`) whose clock is to jump: `CLOCK_JUMPS_MS` is a comma list, one jump for
 * each SIGUSR2. What counts from a fixed moment, like timers and `performance.now()`, does not notice, as with a real jump.
 */
const Real = Date;
const jumps = (process.env.CLOCK_JUMPS_MS ?? '').split(',').filter(Boolean).map(Number);
let offset = 0;
process.on('SIGUSR2', () => {
  offset += jumps.shift() ?? 0;
});

globalThis.Date = class Date extends Real {
  constructor(...parts) {
    if (parts.length === 0) super(Real.now() + offset);
    else super(...parts);
  }

  static now() {
    return Real.now() + offset;
  }
};

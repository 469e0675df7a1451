import type { VerdictCounts } from './job.js';

export const NO_VERDICTS: VerdictCounts = {
  valid: 0,
  invalid: 0,
  catch_all: 0,
  disposable: 0,
  role: 0,
  unknown: 0,
  error: 0,
};

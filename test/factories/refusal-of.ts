import { AppError } from '../../src/platform/errors/app-error.js';

/** The code of the `AppError` that `work` throws; any other error itself; null where it throws none. */
export function refusalOf(work: () => void): unknown {
  try {
    work();
    return null;
  } catch (error) {
    return error instanceof AppError ? error.code : error;
  }
}

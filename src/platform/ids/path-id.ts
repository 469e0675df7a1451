import { AppError } from '../errors/app-error.js';
import { isId } from './uuid.js';

/** An id from a path, in one letter case. @throws AppError `not_found` for a text that is none */
export function pathId(given: string, what: string): string {
  const id = given.toLowerCase();
  if (!isId(id)) throw noSuch(what);
  return id;
}

/** The same for what there is not and for what is another account's. */
export function noSuch(what: string): AppError {
  return new AppError('not_found', `There is no such ${what}.`);
}

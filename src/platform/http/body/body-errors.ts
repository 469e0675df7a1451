import { AppError } from '../../errors/app-error.js';

/** Why a body cannot be read, without a word of it. */
/** @param octet the first that may not stand where it stands, from 1 on; null: the body ends too early */
export function notJson(octet: number | null): AppError {
  return new AppError(
    'invalid_request',
    `The body is not JSON: ${octet === null ? 'it ends too early' : `see octet ${octet}`}.`,
  );
}

export function tooDeep(): AppError {
  return new AppError('invalid_request', 'The body is nested too deeply.');
}

export function notUtf8(): AppError {
  return new AppError('invalid_request', 'The body is not UTF-8.');
}

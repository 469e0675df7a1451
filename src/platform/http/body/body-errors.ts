import { AppError } from '../../errors/app-error.js';

/** Why a body cannot be read, without a word of it. */
export function notJson(): AppError {
  return new AppError('invalid_request', 'The body is not JSON.');
}

export function tooDeep(): AppError {
  return new AppError('invalid_request', 'The body is nested too deeply.');
}

export function notUtf8(): AppError {
  return new AppError('invalid_request', 'The body is not UTF-8.');
}

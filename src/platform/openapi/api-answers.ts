import { ApiExtension } from '@nestjs/swagger';
import type { ErrorCode } from '../errors/error-code.js';

/** Where a decorator leaves what `completeDocument` reads and takes away. */
export const ERRORS = 'x-errors';
export const ANSWER_HEADERS = 'x-answer-headers';

/** Error codes of a route, beside those that every route with a key, or with a body, may end in. */
export const ApiErrors = (...codes: readonly ErrorCode[]): MethodDecorator => ApiExtension(ERRORS, codes);

/** Headers of every answer of a controller to a caller whose key is in force, beside those that all routes have. */
export const ApiAnswerHeaders = (...names: readonly string[]): ClassDecorator => ApiExtension(ANSWER_HEADERS, names);

/** Headers of one answer, for `@ApiOkResponse({ headers })`. */
export function headersOf(...names: readonly string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

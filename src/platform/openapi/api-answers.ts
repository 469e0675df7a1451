import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiExtension, ApiResponse, type ApiResponseOptions, type ContentObject } from '@nestjs/swagger';
import type { ErrorCode } from '../errors/error-code.js';

/** Keys of the metadata that decorators set and `completeDocument` reads and removes. */
export const ERRORS = 'x-errors';
export const ANSWER_HEADERS = 'x-answer-headers';
export const OTHER_BODIES = 'x-other-bodies';

/** The answer of a route that Nest would give another status: for the framework and for the document. */
export const ApiAnswer = (status: number, answer: ApiResponseOptions): MethodDecorator =>
  applyDecorators(HttpCode(status), ApiResponse({ ...answer, status }));

/** Error codes of a route, in addition to those of every route with a key or a body. */
export const ApiErrors = (...codes: readonly ErrorCode[]): MethodDecorator => ApiExtension(ERRORS, codes);

/** Headers of every answer of a controller to a valid key, in addition to those of all routes. */
export const ApiAnswerHeaders = (...names: readonly string[]): ClassDecorator => ApiExtension(ANSWER_HEADERS, names);

/** Bodies of other media types that a route takes beside the JSON of `@ApiBody()`. */
export const ApiOtherBodies = (content: ContentObject): MethodDecorator => ApiExtension(OTHER_BODIES, content);

/** Headers of one answer, for `@ApiOkResponse({ headers })`. */
export function headersOf(...names: readonly string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

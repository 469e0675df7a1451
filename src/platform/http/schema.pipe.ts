import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import { AppError } from '../errors/app-error.js';
import { describeIssue } from './describe-issue.js';

/**
 * Holds every parameter declared with a schema (`@Body({ schema })`, zod) to it. Unknown fields are dropped; the first
 * broken rule is a 422 that names it.
 */
export class SchemaPipe implements PipeTransform {
  async transform(value: unknown, { type, schema }: ArgumentMetadata): Promise<unknown> {
    if (schema === undefined) return value;
    if (type === 'body' && value === undefined) throw new AppError('invalid_request', 'A JSON body is required.');
    const outcome = await schema['~standard'].validate(value);
    if (outcome.issues === undefined) return outcome.value;
    const [first] = outcome.issues;
    throw new AppError(
      'validation_failed',
      first === undefined ? 'the body is not valid' : describeIssue(first, value),
    );
  }
}

import type { FastifyRequest } from 'fastify';
import type { z, ZodType } from 'zod';
import { AppError } from '../errors/app-error.js';
import { describeIssues } from './describe-issue.js';

/** Names of the fields that a schema knows: those of a body that its route takes. */
export function fieldsOf(schema: z.ZodObject): readonly string[] {
  return Object.keys(schema.shape);
}

/**
 * What the schema makes of the JSON body of a request: unknown fields are dropped. For handlers, which are reached after
 * everything that refuses a request whatever its body is. A call and no pipe: Nest puts seven promises around each pipe.
 * @throws AppError `invalid_request` without a body, `validation_failed` with every field that breaks a rule
 */
export function bodyOf<Schema extends ZodType>({ body }: FastifyRequest, schema: Schema): z.output<Schema> {
  if (body === undefined) throw new AppError('invalid_request', 'A JSON body is required.');
  return heldTo(schema, body);
}

/** The same of its query. @throws AppError `validation_failed` */
export function queryOf<Schema extends ZodType>({ query }: FastifyRequest, schema: Schema): z.output<Schema> {
  return heldTo(schema, query);
}

function heldTo<Schema extends ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const outcome = schema.safeParse(value);
  if (outcome.success) return outcome.data;
  throw new AppError('validation_failed', describeIssues(outcome.error.issues, value));
}

import { z } from 'zod';
import { nullable, type Schema } from './json-schema.js';
import type { Parameter } from './operation.js';

/** What a schema of the validation does not say of a field, such as what it means; put over what it says. */
export type FieldNotes = Readonly<Record<string, Schema>>;

/** What the validation takes, as JSON Schema: the object that validates is the one that is described. */
export function requestSchema(validated: z.ZodType, notes: FieldNotes, description: string): Schema {
  const { properties = {}, required = [] } = z.toJSONSchema(validated, { io: 'input', unrepresentable: 'any' });
  for (const name in notes) if (!(name in properties)) throw new Error(`${name} is described, but not validated`);
  return {
    type: 'object',
    description,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [name, { ...withoutUnions(field as Schema), ...notes[name] }]),
    ),
    required,
  };
}

/** The parameters of a query that a schema validates. */
export function queryParameters(validated: z.ZodType, notes: FieldNotes): Parameter[] {
  const { properties, required } = requestSchema(validated, notes, '') as {
    readonly properties: Readonly<Record<string, Schema>>;
    readonly required: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description: String(description),
    schema,
  }));
}

/** `anyOf` of a type and null is `type: [it, "null"]`, which more generators understand. */
function withoutUnions(field: Schema): Schema {
  const [first, second, ...others] = (field['anyOf'] ?? []) as readonly Schema[];
  if (first === undefined || second?.['type'] !== 'null' || others.length > 0) return field;
  return nullable(first);
}

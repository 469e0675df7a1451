/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 has it. */
export type Schema = Readonly<Record<string, unknown>>;

/** A reference to a schema of `components`. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** Null is allowed beside what the schema, of one `type`, allows. */
export function nullable(schema: Schema): Schema {
  const { enum: values, ...rest } = schema;
  return {
    ...rest,
    type: [schema['type'], 'null'],
    ...(Array.isArray(values) ? { enum: [...(values as unknown[]), null] } : {}),
  };
}

/** An object of an answer: every field is there, and there are no others, so that generated clients may be strict. */
export function closedObject(description: string, properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', description, properties, required: Object.keys(properties), additionalProperties: false };
}

export const text = (description: string, more: Schema = {}): Schema => ({ type: 'string', description, ...more });
export const flag = (description: string): Schema => ({ type: 'boolean', description });
/** A whole number, not below zero. */
export const count = (description: string, more: Schema = {}): Schema => ({
  type: 'integer',
  minimum: 0,
  description,
  ...more,
});
/** A closed set of values. */
export const oneOf = (values: readonly string[], description: string): Schema => ({
  type: 'string',
  enum: values,
  description,
});
export const moment = (description: string): Schema =>
  text(`${description} UTC, ISO 8601 with milliseconds.`, { format: 'date-time' });

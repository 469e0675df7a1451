import type { Type } from '@nestjs/common';
import { classFields, type ClassField, type Rule } from '../validation/class-fields.js';
import { nullable, type Schema } from './json-schema.js';
import type { Parameter } from './operation.js';

/** What the decorators do not say of a field, such as what it means; put over what they say. */
export type FieldNotes = Readonly<Record<string, Schema>>;

const KEYWORDS: Readonly<Record<string, (limit: unknown) => Schema>> = {
  isString: () => ({ type: 'string' }),
  isBoolean: () => ({ type: 'boolean' }),
  isInt: () => ({ type: 'integer' }),
  isArray: () => ({ type: 'array' }),
  isIn: (values) => ({ type: 'string', enum: values }),
  min: (minimum) => ({ minimum }),
  max: (maximum) => ({ maximum }),
  maxCharacters: (maxLength) => ({ maxLength }),
  matches: (pattern) => ({ pattern: (pattern as RegExp).source }),
  arrayMinSize: (minItems) => ({ minItems }),
  arrayMaxSize: (maxItems) => ({ maxItems }),
};

/** What a class-validator class takes, as JSON Schema: the class that validates is the one that is described. */
export function requestSchema(type: Type, notes: FieldNotes, description: string): Schema {
  const fields = classFields(type);
  return {
    type: 'object',
    description,
    properties: Object.fromEntries(
      fields.map((field) => [
        field.name,
        { ...(field.optional ? nullable(fieldSchema(field)) : fieldSchema(field)), ...notes[field.name] },
      ]),
    ),
    required: fields.filter(({ optional }) => !optional).map(({ name }) => name),
  };
}

/** The parameters of a query of a class. */
export function queryParameters(type: Type, notes: FieldNotes): Parameter[] {
  return classFields(type).map((field) => {
    const { description, ...more } = notes[field.name] ?? {};
    return {
      name: field.name,
      in: 'query',
      required: !field.optional,
      description: String(description),
      schema: { ...fieldSchema(field), ...more },
    };
  });
}

function fieldSchema({ rules }: ClassField): Schema {
  const schema = keywordsOf(rules.filter(({ each }) => !each));
  const items = keywordsOf(rules.filter(({ each }) => each));
  return Object.keys(items).length > 0 ? { ...schema, items } : schema;
}

function keywordsOf(rules: readonly Rule[]): Schema {
  return Object.assign({}, ...rules.map((rule) => KEYWORDS[rule.name ?? '']?.(rule.constraints?.[0]))) as Schema;
}

import type { Type } from '@nestjs/common';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { classFields, type ClassField, type Rule } from '../validation/class-fields.js';

type Keywords = Readonly<Record<string, unknown>>;

/** Converts a class-validator decorator to JSON Schema. */
const KEYWORDS: Readonly<Record<string, (limit: unknown) => Keywords>> = {
  isString: () => ({ type: 'string' }),
  isBoolean: () => ({ type: 'boolean' }),
  isInt: () => ({ type: 'integer' }),
  isArray: () => ({ type: 'array' }),
  isIn: (values) => ({ type: 'string', enum: values }),
  min: (minimum) => ({ minimum }),
  max: (maximum) => ({ maximum }),
  minCharacters: (minLength) => ({ minLength }),
  maxCharacters: (maxLength) => ({ maxLength }),
  matches: (pattern) => ({ pattern: (pattern as RegExp).source }),
  arrayMinSize: (minItems) => ({ minItems }),
  arrayMaxSize: (maxItems) => ({ maxItems }),
};

/**
 * Describes a body's class: types and limits come from its class-validator decorators, `@ApiProperty()` adds only
 * meanings.
 */
export function ApiRequestBody(options: { readonly name?: string; readonly description: string }): ClassDecorator {
  return (type) => {
    for (const field of classFields(type as unknown as Type)) {
      describe(type, field, { ...schemaOf(field), nullable: field.optional });
    }
    ApiSchema(options)(type);
  };
}

/** Describes a query's class, for its parameters. */
export function ApiRequestQuery(): ClassDecorator {
  return (type) => {
    for (const field of classFields(type as unknown as Type)) describe(type, field, schemaOf(field));
  };
}

function describe({ prototype }: Function, { name, optional }: ClassField, schema: Keywords): void {
  ApiProperty({ ...schema, required: !optional })(prototype, name);
}

function schemaOf({ rules }: ClassField): Keywords {
  const items = keywordsOf(rules.filter(({ each }) => each));
  const schema = keywordsOf(rules.filter(({ each }) => !each));
  return Object.keys(items).length > 0 ? { ...schema, items } : schema;
}

function keywordsOf(rules: readonly Rule[]): Keywords {
  return Object.assign({}, ...rules.map((rule) => KEYWORDS[rule.name ?? '']?.(rule.constraints?.[0]))) as Keywords;
}

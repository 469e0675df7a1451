import type { Type } from '@nestjs/common';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { classFields, type ClassField, type Rule } from '../validation/class-fields.js';

type Keywords = Readonly<Record<string, unknown>>;

/** What a class-validator decorator says, as JSON Schema. */
const KEYWORDS: Readonly<Record<string, (limit: unknown) => Keywords>> = {
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

/** The class of a body: its class-validator decorators say types and limits in the document too, `@ApiProperty()` only what a field means. */
export function ApiRequestBody(options: { readonly name?: string; readonly description: string }): ClassDecorator {
  return (type) => {
    for (const field of classFields(type as unknown as Type)) {
      describe(type, field, { ...schemaOf(field), nullable: field.optional });
    }
    ApiSchema(options)(type);
  };
}

/** The class of a query: the same of its parameters. */
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

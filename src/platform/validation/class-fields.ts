import type { Type } from '@nestjs/common';
import { getMetadataStorage, IS_INT, IS_OPTIONAL } from 'class-validator';

/** A rule that one class-validator decorator declares. */
export type Rule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** A property of a class that has class-validator decorators. */
export interface ClassField {
  readonly name: string;
  /** It has `@IsOptional()`: it may be missing, and null counts as missing. */
  readonly optional: boolean;
  /** It has `@IsInt()`. */
  readonly integer: boolean;
  /** The other decorators, from top to bottom. */
  readonly rules: readonly Rule[];
}

const known = new Map<Type, readonly ClassField[]>();

/** The properties of a class that have class-validator decorators, in order; none for any other class. */
export function classFields(type: Type): readonly ClassField[] {
  let fields = known.get(type);
  if (fields === undefined) {
    fields = readFields(type);
    known.set(type, fields);
  }
  return fields;
}

function readFields(type: Type): ClassField[] {
  const storage = getMetadataStorage();
  // Decorators run from bottom to top.
  const rules = storage.getTargetValidationMetadatas(type, '', false, false);
  return Object.entries(storage.groupByPropertyName(rules)).map(([name, declared]) => ({
    name,
    optional: declared.some((rule) => rule.name === IS_OPTIONAL),
    integer: declared.some((rule) => rule.name === IS_INT),
    rules: declared.filter((rule) => rule.name !== IS_OPTIONAL).reverse(),
  }));
}

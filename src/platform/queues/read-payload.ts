import type { Type } from '@nestjs/common';
import { getMetadataStorage, validateSync } from 'class-validator';

export type ReadPayload<P> =
  | { readonly ok: true; readonly payload: P }
  /** `fault`: the property and the rule it breaks, without its value. */
  | { readonly ok: false; readonly fault: string };

/** Properties of each payload class that have a rule. */
const declared = new WeakMap<Type, readonly string[]>();

/**
 * Reads the data of a job as a payload class: copies the declared properties on to an instance and validates it. Redis may hold
 * anything; what the class does not declare stays behind.
 */
export function readPayload<P extends object>(type: Type<P>, data: unknown): ReadPayload<P> {
  if (typeof data !== 'object' || data === null) return { ok: false, fault: 'it is no object' };
  const payload = new type();
  for (const name of declaredBy(type)) {
    if (Object.hasOwn(data, name)) Object.assign(payload, { [name]: (data as Record<string, unknown>)[name] });
  }
  const [error] = validateSync(payload, { stopAtFirstError: true, validationError: { target: false, value: false } });
  if (error === undefined) return { ok: true, payload };
  return { ok: false, fault: Object.values(error.constraints ?? {})[0] ?? `${error.property} is wrong` };
}

function declaredBy(type: Type): readonly string[] {
  const known = declared.get(type);
  if (known !== undefined) return known;
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', true, false);
  const names = [...new Set(rules.map(({ propertyName }) => propertyName))];
  declared.set(type, names);
  return names;
}

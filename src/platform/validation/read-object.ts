import type { Type } from '@nestjs/common';
import { Validator, type ValidatorOptions } from 'class-validator';
import { classFields, type ClassField } from './class-fields.js';
import { brokenRules, type Fault } from './fault.js';

const validator = new Validator();
const OPTIONS: ValidatorOptions = { validationError: { target: false, value: false } };
const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/;

export type ReadObject<T> =
  | { readonly value: T; readonly faults: null }
  | { readonly value: null; readonly faults: readonly Fault[] };

/**
 * Creates an instance of a class from input and validates it. Copies only own properties that the class declares. Null
 * for an optional property counts as missing: the class's default stays.
 */
export function readObject<T extends object>(type: Type<T>, sent: unknown): ReadObject<T> {
  if (!isObject(sent)) return { value: null, faults: [{ path: [], rule: 'must be an object' }] };
  const value = new type();
  for (const field of classFields(type)) copy(field, sent, value as Record<string, unknown>);
  return validated(type, value, sent);
}

/** The same for a query, whose numbers are texts. */
export function readQuery<T extends object>(type: Type<T>, sent: Readonly<Record<string, unknown>>): ReadObject<T> {
  const read: Record<string, unknown> = { ...sent };
  for (const { integer, name } of classFields(type)) {
    const text = read[name];
    if (integer && typeof text === 'string' && NUMBER.test(text)) read[name] = Number(text);
  }
  return readObject(type, read);
}

function validated<T extends object>(type: Type<T>, value: T, sent: Readonly<Record<string, unknown>>): ReadObject<T> {
  const errors = validator.validateSync(value, OPTIONS);
  if (errors.length === 0) return { value, faults: null };
  const broken = new Map(errors.map(({ constraints, property }) => [property, constraints ?? {}]));
  const faults = classFields(type).flatMap((field) => {
    const constraints = broken.get(field.name);
    return constraints === undefined ? [] : brokenRules(field, constraints, sent);
  });
  return { value: null, faults };
}

function copy(
  { name, optional }: ClassField,
  sent: Readonly<Record<string, unknown>>,
  to: Record<string, unknown>,
): void {
  if (!Object.hasOwn(sent, name)) return;
  const given = sent[name];
  if (given === undefined || (given === null && optional)) return;
  to[name] = given;
}

/** Neither null nor a list. */
export function isObject(sent: unknown): sent is Readonly<Record<string, unknown>> {
  return typeof sent === 'object' && sent !== null && !Array.isArray(sent);
}

import { getMetadataStorage, type ValidationArguments } from 'class-validator';
import type { ClassField, Rule } from './class-fields.js';
import { MAX_CHARACTERS } from './max-characters.js';
import { MIN_CHARACTERS } from './min-characters.js';

/** A field that breaks a rule. */
export interface Fault {
  /** Empty: the whole object. */
  readonly path: readonly (string | number)[];
  /** Follows the name of the field: `must be a string`. Never contains the value. */
  readonly rule: string;
}

/** Our wording of each rule, by its class-validator name. */
const WORDS: Readonly<Record<string, (limit: unknown, value: unknown) => string>> = {
  isString: () => 'must be a string',
  isBoolean: () => 'must be a boolean',
  isInt: (_, value) => (Number.isFinite(value) ? 'must be a whole number' : 'must be a number'),
  isArray: () => 'must be a list',
  isIn: (values) => `must be one of ${(values as readonly unknown[]).join(', ')}`,
  min: (limit) => `must be at least ${String(limit)}`,
  max: (limit) => `must be at most ${String(limit)}`,
  [MAX_CHARACTERS]: (limit) => `must have at most ${amount(limit, 'character', 'characters')}`,
  [MIN_CHARACTERS]: (limit) => `must have at least ${amount(limit, 'character', 'characters')}`,
  arrayMinSize: (limit) => `must have at least ${amount(limit, 'entry', 'entries')}`,
  arrayMaxSize: (limit) => `must have at most ${amount(limit, 'entry', 'entries')}`,
};

/**
 * The fault of an invalid field: the first rule it breaks, from the top; if only entries of a list break one, the rule
 * of each entry.
 * @param constraints messages of class-validator, by rule
 */
export function brokenRules(
  { name, optional, rules }: ClassField,
  constraints: Readonly<Record<string, string>>,
  sent: Readonly<Record<string, unknown>>,
): Fault[] {
  const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
  if (value === undefined && !optional) return [{ path: [name], rule: 'is required' }];
  const broken = rules.filter((rule) => constraints[rule.name ?? ''] !== undefined);
  const whole = broken.find((rule) => !rule.each || !Array.isArray(value));
  if (whole !== undefined) return [{ path: [name], rule: words(whole, value) }];
  return (value as unknown[]).flatMap((entry, position) => {
    const rule = rules.find((candidate) => candidate.each && !passes(candidate, entry));
    return rule === undefined ? [] : [{ path: [name, position], rule: words(rule, entry) }];
  });
}

function words(rule: Rule, value: unknown): string {
  const inWords = WORDS[rule.name ?? ''];
  return inWords === undefined ? `is not valid: ${messageOf(rule, value)}` : inWords(rule.constraints?.[0], value);
}

function messageOf(rule: Rule, value: unknown): string {
  const message = rule.message ?? constraintOf(rule)?.defaultMessage?.bind(constraintOf(rule)) ?? rule.name ?? '';
  return typeof message === 'function' ? message(argumentsOf(rule, value)) : message;
}

function passes(rule: Rule, value: unknown): boolean {
  return constraintOf(rule)?.validate(value, argumentsOf(rule, value)) === true;
}

function constraintOf(rule: Rule) {
  return getMetadataStorage().getTargetValidatorConstraints(rule.constraintCls)[0]?.instance;
}

function argumentsOf({ constraints, propertyName }: Rule, value: unknown): ValidationArguments {
  return { value, constraints, targetName: '', object: {}, property: propertyName };
}

function amount(limit: unknown, one: string, many: string): string {
  return `${String(limit)} ${limit === 1 ? one : many}`;
}

import { isAscii, isUtf8 } from 'node:buffer';
import { isObject } from '../../validation/read-object.js';
import type { ReadBody } from './arriving-body.js';
import { notJson, notUtf8, tooDeep } from './body-errors.js';
import { IgnoredFields } from './ignored-fields.js';
import { JsonScanner, MAX_DEPTH } from './json-scanner.js';
import { withoutMark } from './large-body.js';

/**
 * Parses a complete body and keeps the named fields.
 * @throws AppError `invalid_request`, without a word of the body
 */
export function readSmallBody(bytes: Buffer, fields: readonly string[]): ReadBody {
  const ignored = new IgnoredFields();
  if (bytes.length === 0) return { value: undefined, ignored: ignored.names };
  const body = parseJson(bytes);
  if (isDeeper(body, MAX_DEPTH)) throw tooDeep();
  if (!isObject(body)) return { value: body, ignored: ignored.names };
  const value: Record<string, unknown> = {};
  for (const [name, held] of Object.entries(body)) {
    if (fields.includes(name)) value[name] = held;
    else ignored.add(name);
  }
  return { value, ignored: ignored.names };
}

/** Parses JSON (RFC 8259) in UTF-8. */
function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw notUtf8();
  const json = withoutMark(bytes);
  try {
    // `__proto__` becomes an ordinary, unknown field.
    return JSON.parse(json.toString(isAscii(json) ? 'latin1' : 'utf8')) as unknown;
  } catch {
    sayWhere(json);
    throw notJson(null);
  }
}

/** Throws what the scanner says of it: `JSON.parse` says where it stopped in words of the body, which no answer repeats. */
function sayWhere(broken: Buffer): void {
  const nobody = (): void => undefined;
  const scanner = new JsonScanner(
    { valueBegins: nobody, valueEnds: nobody, nameBegins: nobody, nameEnds: nobody },
    Number.POSITIVE_INFINITY,
  );
  scanner.write(broken);
  scanner.end();
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((held) => isDeeper(held, levels - 1));
}

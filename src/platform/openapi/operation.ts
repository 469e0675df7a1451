import type { ErrorCode } from '../errors/error-code.js';
import type { Schema } from './json-schema.js';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
}

/** By a name of its own; `value` is what is sent. */
export type Examples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;

/** What a body holds, by media type. */
export type Content = Readonly<Record<string, { readonly schema: Schema; readonly examples?: Examples }>>;

/** What a success answers. */
export interface Answer {
  readonly description: string;
  /** Names of described headers, beside those of every answer. */
  readonly headers?: readonly string[];
  /** None: no body. */
  readonly content?: Content;
}

/** One method of one path, as callers see it. */
export interface Operation {
  readonly method: 'get' | 'post' | 'delete';
  /** With `{name}` for a parameter. */
  readonly path: string;
  /** Generated clients call their method so. */
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly access: 'key' | 'public';
  /** Names of described headers of every answer to a caller whose key is in force, beside those that all have. */
  readonly headers?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly body?: { readonly required: boolean; readonly description: string; readonly content: Content };
  readonly answers: Readonly<Record<number, Answer>>;
  /** Beside those that every call with a key, or with a body, may end in. */
  readonly errors: readonly ErrorCode[];
}

/** What a feature tells of itself. */
export interface ApiPart {
  readonly operations: readonly Operation[];
  readonly schemas?: Readonly<Record<string, Schema>>;
  readonly headers?: Readonly<Record<string, HeaderNote>>;
}

export interface HeaderNote {
  readonly description: string;
  readonly schema: Schema;
  /** In every answer that names it. */
  readonly required?: boolean;
}

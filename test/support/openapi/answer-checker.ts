import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describedAnswer, readApiDocument, type ApiDocument, type DescribedAnswer } from './api-document.js';

/** An answer of the API, read. */
export interface SeenAnswer {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly status: number;
  readonly header: (name: string) => string | null;
  readonly body: string;
  /** As it was sent. */
  readonly key: string | null;
  /** Whether the database may be down: then what the account has is not known, and left out. */
  readonly mayLackBalance?: boolean;
}

/** In every answer to a caller that is known, where it is described, whatever the answer is (decisions 1.4). */
const OF_CALLER = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit-Policy',
  'RateLimit',
  'X-Credits-Used',
];
const BALANCE = ['X-Credits-Remaining', 'X-Verify-Free-Remaining'];
const DUE = [...OF_CALLER, ...BALANCE];
/** Answers that are given to callers without a key in force too: then all of these headers are missing. */
const TO_ANYBODY: ReadonlySet<number> = new Set([404, 405, 429]);
const DOCUMENT = 'api';

declare global {
  /** Of this process of jest, for all its files: `kept-environment.cjs`. */
  var answers: { checker: AnswerChecker | null };
}

/** Compiling a description takes longer than many a test, so that files share it. */
export function sharedChecker(): AnswerChecker {
  return (globalThis.answers.checker ??= new AnswerChecker());
}

/** Holds answers to the description, as the strictest of generated clients would. */
export class AnswerChecker {
  private readonly ajv = addFormats.default(new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true }));
  private readonly compiled = new Map<object, ValidateFunction>();

  constructor(private readonly document: ApiDocument = readApiDocument()) {
    this.ajv.addSchema({ $id: DOCUMENT, $defs: local(document.components.schemas) });
  }

  /** @returns what is wrong with an answer, a line each; never what stands in it */
  faults(seen: SeenAnswer): string[] {
    const { method, path, status } = seen;
    const described = describedAnswer(this.document, method, path, status);
    const where = `${method} ${path.replaceAll(/[0-9a-f-]{36}/g, '{id}')} ${status}`;
    if (described === null) return [`${where}: is not described`];
    const found = [...this.headerFaults(seen, described), ...this.bodyFaults(seen, described)];
    return found.map((fault) => `${where}: ${fault}`);
  }

  private headerFaults(seen: SeenAnswer, { headers }: DescribedAnswer): string[] {
    const known = Object.keys(headers).filter((name) => this.document.components.headers[name] !== undefined);
    const faults = Object.keys(headers)
      .filter((name) => !known.includes(name))
      .map((name) => `header ${name} has no description`);
    for (const name of known) {
      const { schema, required } = this.document.components.headers[name]!;
      const value = seen.header(name);
      if (value === null && required === true) faults.push(`header ${name} is missing`);
      if (value !== null && !this.validator(schema)(headerValue(value, schema['type']))) {
        faults.push(`header ${name} is not as described`);
      }
    }
    faults.push(...this.callerFaults(seen, known));
    const others = Object.keys(this.document.components.headers).filter((name) => !known.includes(name));
    return faults.concat(
      others
        .filter((name) => isSpecific(name) && seen.header(name) !== null)
        .map((name) => `header ${name} is out of place`),
    );
  }

  /** A header may be left out where it cannot be known: with a 5xx, or all of them with an answer that anybody gets. */
  private callerFaults(
    { header, key, mayLackBalance = false, status }: SeenAnswer,
    known: readonly string[],
  ): string[] {
    if (key === null || status === 401 || status >= 500) return [];
    const due = [...(mayLackBalance ? OF_CALLER : DUE), ...(key.startsWith('mv_test_') ? ['X-Sandbox'] : [])].filter(
      (name) => known.includes(name),
    );
    const missing = due.filter((name) => header(name) === null);
    if (missing.length === due.length && TO_ANYBODY.has(status)) return [];
    return missing.map((name) => `header ${name} is missing`);
  }

  private bodyFaults({ body, header, method, status }: SeenAnswer, { content }: DescribedAnswer): string[] {
    if (method === 'HEAD') return [];
    if (content === undefined) return body === '' ? [] : ['has a body'];
    const type = (header('content-type') ?? '').split(';', 1)[0] ?? '';
    const described = content[type];
    if (described === undefined) return [`media type ${type} is not described`];
    if (type !== 'application/json') return [];
    const value = JSON.parse(body) as unknown;
    const validate = this.validator(described.schema);
    if (!validate(value)) return (validate.errors ?? []).map((each) => `${each.instancePath} ${each.message}`);
    if (status < 400) return [];
    const { code } = (value as { readonly error: { readonly code: string } }).error;
    return code in (described.examples ?? {}) ? [] : [`code ${code} is not described`];
  }

  /** @throws Error for a schema that a strict reader does not take */
  private validator(schema: object): ValidateFunction {
    const known = this.compiled.get(schema);
    if (known !== undefined) return known;
    const made = this.ajv.compile(local(schema));
    this.compiled.set(schema, made);
    return made;
  }

  /** For examples and requests. @returns faults of a value */
  valueFaults(schema: object, value: unknown): string[] {
    const validate = this.validator(schema);
    return validate(value) ? [] : (validate.errors ?? []).map((each) => `${each.instancePath} ${each.message}`);
  }
}

/** Whether a header belongs to some answers only: those of the caller come with refusals of paths and methods too. */
const isSpecific = (name: string): boolean => !DUE.includes(name) && name !== 'X-Sandbox';

/** A header is text; what is described as a number is to be read as one. */
function headerValue(value: string, type: unknown): unknown {
  return type === 'integer' && /^\d+$/.test(value) ? Number(value) : value;
}

/** With references as ajv finds them. */
function local<T extends object>(schema: T): T {
  return JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', `${DOCUMENT}#/$defs/`)) as T;
}

import type { Rule } from './rules.js';

/** `cli`: commands that manage rows. Commands that need no database read as `engine`. */
export type Role = 'api' | 'worker' | 'console' | 'cli';
export type Reader = Role | 'engine';

export type Env = Readonly<Record<string, string | undefined>>;

export interface Variable {
  readonly readBy: readonly Reader[];
  /** As the documentation shows it; null: required. */
  readonly default: string | null;
}

/**
 * Reads the variables of one process and collects their faults. Empty text counts as unset, and so does the variable of
 * another process, which therefore cannot stop this one from starting.
 */
export class VariableReader {
  /** Every variable that was named, read by this process or not. */
  readonly variables = new Map<string, Variable>();
  /** The broken rule by variable. With any, the values must not be used. */
  readonly faults = new Map<string, string>();

  constructor(
    readonly reader: Reader,
    private readonly env: Env,
  ) {}

  /** The rule refuses empty text. */
  required<T>(name: string, readBy: readonly Reader[], rule: Rule<T>): T {
    const text = this.declare(name, { readBy, default: null });
    return readBy.includes(this.reader) ? this.parse(name, text, rule) : NO_VALUE;
  }

  /** Falls back to `byDefault`, which is parsed as if it had been set. */
  optional<T>(name: string, readBy: readonly Reader[], rule: Rule<T>, byDefault: string): T {
    return this.parse(name, this.declare(name, { readBy, default: byDefault }) || byDefault, rule);
  }

  /** Null when unset. `byDefault` is the documentation of that case. */
  nullable<T>(name: string, readBy: readonly Reader[], rule: Rule<T>, byDefault: string): T | null {
    const text = this.declare(name, { readBy, default: byDefault });
    return text === '' ? null : this.parse(name, text, rule);
  }

  /** These are set together or not at all. They were named before. */
  allOrNone(...names: readonly string[]): void {
    const unset = names.filter((name) => this.textOf(name) === '');
    if (unset.length === names.length) return;
    for (const name of unset) this.faults.set(name, `is required where another of ${names.join(', ')} is set`);
  }

  private declare(name: string, variable: Variable): string {
    this.variables.set(name, variable);
    return this.textOf(name);
  }

  private textOf(name: string): string {
    return (this.variables.get(name)?.readBy.includes(this.reader) && this.env[name]) || '';
  }

  private parse<T>(name: string, text: string, rule: Rule<T>): T {
    try {
      return rule(plain(text));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.faults.set(name, error.message);
      return NO_VALUE;
    }
  }
}

const NO_VALUE = undefined as never;

/**
 * Refuses what a file of variables leaves around a value, for rules that would take it: Node's options, tracing and health
 * checks read the same environment as it stands.
 */
function plain(text: string): string {
  if (text.trim() !== text) {
    throw new RangeError(
      text.endsWith('\r')
        ? 'must not end with a carriage return: save the file it comes from with Unix line ends'
        : 'must not begin or end with white space',
    );
  }
  if (/^(["']).*\1$/s.test(text)) throw new RangeError('must stand without quotes: they would be part of the value');
  return text;
}

import type { Mode } from '../engine/verdict/result.js';
import type { Kind } from './output/verdict-cells.js';

/** What is typed after `verify-file IN`. */
export interface VerifyFileOptions {
  readonly out: string;
  readonly column?: string;
  readonly mode: Mode;
  readonly concurrency: number;
  readonly only?: Kind;
  readonly json?: boolean;
}

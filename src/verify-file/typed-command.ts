import type { VerifyFileOptions } from './verify-file-options.js';

/** The command of a run, to type again in a shell. */
export function typedCommand(program: string, input: string, options: VerifyFileOptions): string {
  const { out, column, mode, concurrency, only, json } = options;
  const words = [
    'verify-file',
    input,
    '--out',
    out,
    ...(column === undefined ? [] : ['--column', column]),
    '--mode',
    mode,
    '--concurrency',
    String(concurrency),
    ...(only === undefined ? [] : ['--only', only]),
    ...(json === true ? ['--json'] : []),
  ];
  return [program, ...words.map(shellWord)].join(' ');
}

/** A word as a POSIX shell takes it. */
export function shellWord(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

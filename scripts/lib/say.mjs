import { existsSync, readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { shortPath } from './paths.mjs';

/**
 * The step whose start is on the last line of the terminal.
 * @type {symbol | null}
 */
let onLastLine = null;

/** Prints one line on the terminal. */
export function say(line = '') {
  process.stdout.write(`${onLastLine === null ? '' : '\n'}${line}\n`);
  onLastLine = null;
}

/** 950 ms as `0.9 s`, 83,000 ms as `1 min 23 s`. */
export function duration(ms) {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/**
 * Does one step of a script and says so on one line, with how long it took. A step that goes on beside another one is told of
 * when it ends.
 * @template T
 * @param {string} what in words, no full stop
 * @param {() => Promise<T>} work may return `{ said }` to end the line with a result
 * @returns {Promise<T>}
 */
export async function step(what, work) {
  const began = performance.now();
  const self = Symbol(what);
  if (onLastLine === null) {
    onLastLine = self;
    process.stdout.write(`  ${what} …`);
  }
  const end = (how) => {
    if (onLastLine === self) process.stdout.write(`${how}\n`);
    else process.stdout.write(`${onLastLine === null ? '' : '\n'}  ${what} …${how}\n`);
    onLastLine = null;
  };
  try {
    const result = await work();
    end(`${result?.said ? ` ${result.said},` : ''} ${duration(performance.now() - began)}`);
    return result;
  } catch (error) {
    end(' failed');
    throw error;
  }
}

/** The last lines of a log, for an error message; empty without a log. */
export function logTail(file, lines = 20) {
  if (!file || !existsSync(file)) return '';
  const text = stripVTControlCharacters(readFileSync(file, 'utf8')).trimEnd();
  const last = text.split('\n').slice(-lines);
  return `The end of ${shortPath(file)}:\n${last.map((line) => `  | ${line}\n`).join('')}`;
}

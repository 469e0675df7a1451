import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

/**
 * The files of the project that an image is built from: those that `.dockerignore` lets through.
 * @returns {string[]} relative to the project
 */
export function contextFiles() {
  const rules = parseIgnoreFile(readFileSync(join(root, '.dockerignore'), 'utf8'));
  const found = [];
  const walk = (folder) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (!entry.isDirectory()) {
        if (!isIgnored(rules, path)) found.push(path);
      } else if (!isIgnored(rules, path) || holdsException(rules, path)) {
        walk(path);
      }
    }
  };
  walk('');
  return found;
}

/**
 * @param {string} text of a `.dockerignore`: of its syntax, comments, `!`, `*` and `**`
 * @public for the tests
 */
export function parseIgnoreFile(text) {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ ignored: !line.startsWith('!'), pattern: line.replace(/^!/, '').replace(/^\/|\/$/g, '') }));
}

/**
 * The last rule that speaks of a path or of a folder above it decides.
 * @param {{ ignored: boolean, pattern: string }[]} rules
 * @param {string} path
 * @public for the tests
 */
export function isIgnored(rules, path) {
  const folders = path.split('/').map((_, i, parts) => parts.slice(0, i + 1).join('/'));
  const last = rules.findLast(({ pattern }) => folders.some((folder) => toRegExp(pattern).test(folder)));
  return last?.ignored ?? false;
}

function holdsException(rules, folder) {
  return rules.some(({ ignored, pattern }) => !ignored && pattern.startsWith(`${folder}/`));
}

function toRegExp(pattern) {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\?]/g, '\\$&')
    .replaceAll('**/', '\0')
    .replaceAll('*', '[^/]*')
    .replaceAll('\0', '(.*/)?');
  return new RegExp(`^${source}$`);
}

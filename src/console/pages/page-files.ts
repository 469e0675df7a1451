import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import type { Coding } from '../../platform/http/accepted-coding.js';

/** A file of the page as it is sent in one coding. */
export interface CodedFile {
  readonly octets: Buffer;
  readonly etag: string;
}

export interface PageFile {
  readonly type: string;
  /** Its name has a hash of its content. */
  readonly isImmutable: boolean;
  readonly codings: ReadonlyMap<Coding, CodedFile>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
};
/** Made beside each file by the build. */
const SUFFIXES = { br: '.br', gzip: '.gz' } as const;

/**
 * Reads the built page into memory: what is not in the map when the process starts is never served, whatever path is asked for.
 * @returns files by path below the folder, with `/`; empty when the page is not built
 */
export function readPageFiles(folder: string): ReadonlyMap<string, PageFile> {
  const paths = new Set(listFiles(folder));
  const files = new Map<string, PageFile>();
  for (const path of paths) {
    const type = TYPES[extname(path)];
    if (type === undefined) continue;
    const codings = new Map<Coding, CodedFile>([['identity', readCoded(folder, path, 'identity')]]);
    for (const coding of ['br', 'gzip'] as const) {
      const coded = path + SUFFIXES[coding];
      if (paths.has(coded)) codings.set(coding, readCoded(folder, coded, coding));
    }
    files.set(path, { type, isImmutable: path.startsWith('assets/'), codings });
  }
  return files;
}

function readCoded(folder: string, path: string, coding: Coding): CodedFile {
  const octets = readFileSync(join(folder, path));
  const hash = createHash('sha256').update(octets).digest('base64url').slice(0, 22);
  return { octets, etag: `"${hash}-${coding}"` };
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** A file that is served from memory. */
export interface StaticFile {
  readonly type: string;
  readonly octets: Buffer;
  readonly zipped: Buffer;
}

export async function staticFile(type: string, content: Buffer | string): Promise<StaticFile> {
  const octets = Buffer.from(content);
  return { type, octets, zipped: await promisify(gzip)(octets) };
}

/** Returns whether an `Accept-Encoding` accepts gzip. Any weight other than 0 counts. */
export function takesGzip(header: string | undefined): boolean {
  return /(^|[,\s])gzip\s*(;\s*q\s*=\s*(1|0\.0{0,2}[1-9]|0\.[1-9])[\d.]*\s*)?(,|$)/i.test(header ?? '');
}

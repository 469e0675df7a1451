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

import { Injectable, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { join } from 'node:path';
import { AppError } from '../../platform/errors/app-error.js';
import { PRODUCT_FOLDER } from '../../platform/process/product-folder.js';
import { acceptedCoding } from '../../platform/http/accepted-coding.js';
import { readPageFiles, type PageFile } from './page-files.js';

const BUILT_PAGE = join(PRODUCT_FOLDER, 'web/dist');
const YEAR = 'public, max-age=31536000, immutable';
/** Asked for again each time, and answered with 304 while it is the same. */
const REVALIDATED = 'no-cache';

/**
 * Nothing from another host and no script in the page itself. Styles: Mantine writes its variables into a `<style>` of the
 * page and sets `style` attributes.
 */
const POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** The console's page: a single-page application, built into `web/dist`. */
@Injectable()
export class PagesService {
  private readonly files = readPageFiles(BUILT_PAGE);

  constructor() {
    if (!this.files.has('index.html')) {
      new Logger('Console').warn('the page is not built, so only the API of the console is served. Run: npm run build');
    }
  }

  /** A file at the root of the page, or else the page itself, which knows its own paths. */
  page(name: string, request: FastifyRequest, reply: FastifyReply): Buffer {
    const file = this.files.get(name) ?? this.files.get('index.html');
    if (file === undefined) {
      throw new AppError(
        'service_unavailable',
        'The page is not built. Run: npm run build, and start the console again.',
      );
    }
    return send(file, request, reply);
  }

  /** @throws AppError `not_found` */
  asset(name: string, request: FastifyRequest, reply: FastifyReply): Buffer {
    const file = this.files.get(`assets/${name}`);
    if (file === undefined) throw new AppError('not_found', 'There is nothing at this path.');
    return send(file, request, reply);
  }
}

function send({ type, isImmutable, codings }: PageFile, { headers }: FastifyRequest, reply: FastifyReply): Buffer {
  const coding = acceptedCoding(headers['accept-encoding'], [...codings.keys()]);
  const { octets, etag } = codings.get(coding)!;
  void reply.headers({
    'Cache-Control': isImmutable ? YEAR : REVALIDATED,
    'Content-Security-Policy': POLICY,
    ETag: etag,
    Vary: 'Accept-Encoding',
  });
  if (coding !== 'identity') void reply.header('Content-Encoding', coding);
  void reply.type(type);
  if (!isNamed(etag, headers['if-none-match'])) return octets;
  void reply.status(304);
  return Buffer.alloc(0);
}

/** RFC 9110 13.1.2, by the weak comparison. */
function isNamed(etag: string, header: string | undefined): boolean {
  if (header === undefined) return false;
  const tags = new Set(header.split(',').map((tag) => tag.trim().replace(/^W\//, '')));
  return tags.has(etag) || tags.has('*');
}

import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.js';
import { acceptedCoding } from '../http/accepted-coding.js';
import { PublicRoute } from '../http/public-route.js';
import { PRODUCT_VERSION } from '../process/product-version.js';
import { Entrance } from './entrance.response.js';
import { REFERENCE_POLICY } from './reference-page.js';
import { ServedFiles } from './served-files.js';
import type { StaticFile } from './static-file.js';

/** Short, because a new release may change the files. */
const DOCUMENT_CACHE = 'public, max-age=300';
const FILE_CACHE = 'public, max-age=86400';

const LINKS = { description: '/openapi.json', reference: '/docs', live: '/health/live', ready: '/health/ready' };

/** The description of the API, for programs and people. */
@Controller()
@ApiTags('Operation')
export class OpenApiController {
  constructor(private readonly files: ServedFiles) {}

  /** An entry point for callers that know only the address of the service. */
  @Get()
  @PublicRoute()
  @ApiOperation({
    operationId: 'getEntrance',
    summary: 'Name, version and links',
    description: 'For a client that knows only the address of the service.',
    security: [],
  })
  @ApiOkResponse({ type: Entrance, description: 'What answers here.' })
  entrance(): Entrance {
    return { name: 'Mailvet', version: PRODUCT_VERSION, links: LINKS };
  }

  @Get('openapi.json')
  @PublicRoute()
  @ApiOperation({
    operationId: 'getOpenApiDocument',
    summary: 'This document',
    description: 'Also at `/v1/openapi.json`; for people at `/docs`.',
    security: [],
  })
  @ApiOkResponse({
    description: 'OpenAPI 3.1.',
    schema: { type: 'object', required: ['openapi'], properties: { openapi: { type: 'string' } } },
  })
  async document(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<Buffer> {
    return send(await this.files.document(), DOCUMENT_CACHE, request, reply);
  }

  /** Alias, where clients look for it. */
  @Get('v1/openapi.json')
  @ApiExcludeEndpoint()
  @PublicRoute()
  documentOfVersion(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<Buffer> {
    return this.document(request, reply);
  }

  @Get('docs')
  @ApiExcludeEndpoint()
  @PublicRoute()
  async page(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<Buffer> {
    void reply.header('Content-Security-Policy', REFERENCE_POLICY);
    return send(await this.files.page(), DOCUMENT_CACHE, request, reply);
  }

  @Get('docs/:file')
  @ApiExcludeEndpoint()
  @PublicRoute()
  async file(
    @Param('file') name: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    const file = await this.files.file(name);
    if (file === null) throw new AppError('not_found', 'There is nothing at this path.');
    return send(file, FILE_CACHE, request, reply);
  }
}

function send(
  { octets, type, zipped }: StaticFile,
  cache: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Buffer {
  void reply.headers({ 'Cache-Control': cache, Vary: 'Accept-Encoding' }).type(type);
  if (acceptedCoding(request.headers['accept-encoding'], ['gzip']) !== 'gzip') return octets;
  void reply.header('Content-Encoding', 'gzip');
  return zipped;
}

import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ServedFiles } from '../../platform/openapi/served-files.js';
import { Anybody } from '../session/access.js';

@Controller('console/api/openapi.json')
@ApiTags('Description')
export class ConsoleDocumentController {
  constructor(private readonly files: ServedFiles) {}

  @Get()
  @Anybody()
  @ApiOperation({ operationId: 'getDescription', summary: 'This document' })
  @ApiOkResponse({
    description: 'OpenAPI 3.1.',
    schema: { type: 'object', required: ['openapi'], properties: { openapi: { type: 'string' } } },
  })
  async read(@Res({ passthrough: true }) reply: FastifyReply): Promise<Buffer> {
    const { type, octets } = await this.files.document();
    void reply.type(type);
    return octets;
  }
}

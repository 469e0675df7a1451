import { Controller, Get, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Anybody } from '../session/access.js';
import { ConsoleDocument } from './console-document.js';

@Controller('console/api/openapi.json')
@ApiTags('Description')
export class ConsoleDocumentController {
  constructor(private readonly document: ConsoleDocument) {}

  @Get()
  @Anybody()
  @ApiOperation({ operationId: 'getDescription', summary: 'This document' })
  @ApiOkResponse({
    description: 'OpenAPI 3.1.',
    schema: { type: 'object', required: ['openapi'], properties: { openapi: { type: 'string' } } },
  })
  read(@Res({ passthrough: true }) reply: FastifyReply): string {
    void reply.type('application/json; charset=utf-8');
    return this.document.text;
  }
}

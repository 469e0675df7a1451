import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { PublicRoute } from '../../platform/http/public-route.js';
import { PagesService } from './pages.service.js';

/** The page and its files. It shows nothing of anybody: what it shows it asks of the API. */
@Controller()
@ApiExcludeController()
export class PagesController {
  constructor(private readonly pages: PagesService) {}

  @Get('assets/:file')
  @PublicRoute()
  asset(
    @Param('file') file: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Buffer {
    return this.pages.asset(file, request, reply);
  }

  /** Every path of the page is the same document. */
  @Get([
    '',
    ':page',
    'admin/:page',
    'admin/:page/:id',
    'a/:account',
    'a/:account/:page',
    'a/:account/:page/:id',
    'a/:account/:page/:id/:part',
  ])
  @PublicRoute()
  page(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Buffer {
    const { page = '' } = request.params as { readonly page?: string };
    return this.pages.page(request.routeOptions.url === '/:page' ? page : '', request, reply);
  }
}

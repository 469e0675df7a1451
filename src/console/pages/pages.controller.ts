import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../platform/errors/app-error.js';
import { PublicRoute } from '../../platform/http/public-route.js';
import { PagesService } from './pages.service.js';

/** Paths below which no page is. */
const OTHERS = /^(?:assets|console|health)\//;

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

  /** Every path that is no other's is the same document, however deep: it knows which paths there are. */
  @Get(['', ':page', '*'])
  @PublicRoute()
  page(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Buffer {
    const { page, '*': deep = '' } = request.params as { readonly page?: string; readonly '*'?: string };
    if (OTHERS.test(deep)) throw new AppError('not_found', 'There is nothing at this path.');
    return this.pages.page(page ?? '', request, reply);
  }
}

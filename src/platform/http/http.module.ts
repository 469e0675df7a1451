import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { ErrorFilter } from './error.filter.js';
import { RequestPipe } from './request.pipe.js';

/** The pipe and the filter of every route, for the root of each HTTP process. */
@Global()
@Module({
  providers: [
    RequestPipe,
    { provide: APP_PIPE, useExisting: RequestPipe },
    { provide: APP_FILTER, useClass: ErrorFilter },
  ],
  exports: [RequestPipe],
})
export class HttpModule {}

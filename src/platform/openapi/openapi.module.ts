import { Module, type DynamicModule } from '@nestjs/common';
import { OpenApiController } from './openapi.controller.js';
import { ServedFiles } from './served-files.js';

/** `/openapi.json` and `/docs`. */
@Module({})
export class OpenApiModule {
  /** @param description creates the OpenAPI document; called once, at the first request */
  static of(description: () => string): DynamicModule {
    return {
      module: OpenApiModule,
      controllers: [OpenApiController],
      providers: [{ provide: ServedFiles, useFactory: () => new ServedFiles(description) }],
    };
  }
}

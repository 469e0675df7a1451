import { Module, type DynamicModule } from '@nestjs/common';
import { OpenApiController } from './openapi.controller.js';
import { ServedFiles } from './served-files.js';

/** `/openapi.json` and `/docs`. */
@Module({})
export class OpenApiModule {
  /** @param description makes the OpenAPI document; called once, when it is first asked for */
  static of(description: () => string): DynamicModule {
    return {
      module: OpenApiModule,
      controllers: [OpenApiController],
      providers: [{ provide: ServedFiles, useFactory: () => new ServedFiles(description) }],
    };
  }
}

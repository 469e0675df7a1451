import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { ServedFiles } from './served-files.js';

/** The routes of the OpenAPI document of a process. */
@Module({})
export class OpenApiModule {
  /**
   * @param controller serves `ServedFiles`
   * @param description creates the OpenAPI document; called once, at the first request
   */
  static of(controller: Type, description: () => string): DynamicModule {
    return {
      module: OpenApiModule,
      controllers: [controller],
      providers: [{ provide: ServedFiles, useFactory: () => new ServedFiles(description) }],
    };
  }
}

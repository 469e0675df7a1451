import { Module, type DynamicModule } from '@nestjs/common';
import { ConsoleDocument } from './console-document.js';
import { ConsoleDocumentController } from './console-document.controller.js';

/** The description of the console's API. */
@Module({})
export class ConsoleDocumentModule {
  /** @param describe makes the OpenAPI document; called once, when it is first asked for */
  static of(describe: () => string): DynamicModule {
    return {
      module: ConsoleDocumentModule,
      controllers: [ConsoleDocumentController],
      providers: [{ provide: ConsoleDocument, useFactory: () => new ConsoleDocument(describe) }],
    };
  }
}

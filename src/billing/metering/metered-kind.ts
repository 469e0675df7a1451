import { Reflector } from '@nestjs/core';

/** Kind of call: the first word of its charge references. */
export type MeteredKind = 'single' | 'batch' | 'job';

/** Metadata that `@Metered()` sets on a handler. */
export const METERED_KIND = Reflector.createDecorator<MeteredKind>();

import { Reflector } from '@nestjs/core';

/** Kind of call: the first word of its charges' references. */
export type MeteredKind = 'single' | 'batch' | 'job';

/** What `@Metered()` leaves on a handler. */
export const METERED_KIND = Reflector.createDecorator<MeteredKind>();

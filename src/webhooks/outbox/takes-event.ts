import { statement, type Statement } from '../../platform/database/statement.js';
import type { EventType } from '../event-type.js';

/** The condition that an endpoint `e` takes a type of event. */
export const takesEvent = (type: EventType): Statement =>
  statement`e.disabled_at IS NULL AND e.deleted_at IS NULL AND FIND_IN_SET(${type}, e.events) > 0`;

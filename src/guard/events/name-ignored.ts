import { IgnoredFields } from '../../platform/http/body/ignored-fields.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import { classFields } from '../../platform/validation/class-fields.js';
import { isObject } from '../../platform/validation/read-object.js';
import { GuardEventRequest } from './guard-event.request.js';

/** Sets the answer's header with the ignored fields of events, each once, at its first position. */
export function nameIgnored(context: Pick<RequestContext, 'ignoredFields'>, events: readonly unknown[]): void {
  const seen = new Set(classFields(GuardEventRequest).map(({ name }) => name));
  const ignored = new IgnoredFields(context.ignoredFields);
  for (const [position, event] of events.entries()) {
    if (!isObject(event)) continue;
    for (const name of Object.keys(event)) {
      if (seen.has(name)) continue;
      seen.add(name);
      ignored.add(`events[${position}].${name}`);
    }
  }
  if (ignored.names.length > 0) context.ignoredFields = ignored.names;
}

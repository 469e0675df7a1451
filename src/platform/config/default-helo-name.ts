import { isHeloName } from '../egress/parse-smtp-egress.js';

const LOCAL = '.localdomain';

/**
 * The default EHLO name: the machine's host name, which in containers has no dot and may be no valid name. Good enough
 * to start with; see `isLocalName`.
 */
export function defaultHeloName(hostName: string): string {
  const name = hostName.toLowerCase();
  if (isHeloName(name)) return name;
  return isHeloName(`${name}${LOCAL}`) ? `${name}${LOCAL}` : `localhost${LOCAL}`;
}

/** True for a name that resolves nowhere: many hosts refuse such a HELO name. */
export function isLocalName(heloName: string): boolean {
  return heloName.endsWith(LOCAL);
}

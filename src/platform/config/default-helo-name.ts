import { isHeloName } from '../egress/parse-smtp-egress.js';

const LOCAL = '.localdomain';

/**
 * The name a machine gives in EHLO when it was told none: its host name, which in containers has neither a dot nor,
 * sometimes, the form of a name. Good enough to start with; see `isLocalName`.
 */
export function defaultHeloName(hostName: string): string {
  const name = hostName.toLowerCase();
  if (isHeloName(name)) return name;
  return isHeloName(`${name}${LOCAL}`) ? `${name}${LOCAL}` : `localhost${LOCAL}`;
}

/** True for a name that resolves nowhere: many hosts refuse who calls himself so. */
export function isLocalName(heloName: string): boolean {
  return heloName.endsWith(LOCAL);
}

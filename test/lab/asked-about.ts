import type { Laboratory } from './laboratory.js';

/** How often the mail hosts of these names were asked about each address, in lower case. */
export function askedAbout(lab: Pick<Laboratory, 'sessions'>, hosts: readonly string[]): Map<string, number> {
  const asked = new Map<string, number>();
  for (const line of hosts.flatMap((host) => lab.sessions(host)).flatMap(({ commands }) => commands)) {
    const address = /^RCPT TO:<([^>]+)>/i.exec(line)?.[1]?.toLowerCase();
    if (address !== undefined) asked.set(address, (asked.get(address) ?? 0) + 1);
  }
  return asked;
}

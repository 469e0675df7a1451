import { isIP } from 'node:net';

/** An IP address and a port. */
export interface ServerAddress {
  readonly address: string;
  readonly port: number;
}

/** Parses `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1` or `[2001:db8::1]:5353`; null when it is none of them. */
export function parseServerAddress(text: string, defaultPort: number): ServerAddress | null {
  if (isIP(text) !== 0) return { address: text, port: defaultPort };
  const parts = /^(?:\[(?<bracketed>[^\]]+)\]|(?<plain>[^:]+)):(?<port>\d{1,5})$/.exec(text)?.groups;
  if (parts === undefined) return null;
  const address = parts['bracketed'] ?? parts['plain'] ?? '';
  const port = Number(parts['port']);
  const family = parts['bracketed'] === undefined ? 4 : 6;
  return isIP(address) === family && port >= 1 && port <= 65_535 ? { address, port } : null;
}

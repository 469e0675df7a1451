import { isIPv6 } from 'node:net';

export const MAX_HEADER_OCTETS = 16_384;

export interface Authority {
  /** A name or an address. */
  readonly host: string;
  readonly port: number;
  /** The port that the `Host` header omits. */
  readonly usualPort: 443 | 80;
}

export function hostHeader({ host, port, usualPort }: Authority): string {
  const name = isIPv6(host) ? `[${host}]` : host;
  return port === usualPort ? name : `${name}:${port}`;
}

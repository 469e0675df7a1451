import { newId } from '../ids/uuid.js';
import { errorBody } from './error-reply.js';
import { SECURITY_HEADERS } from './security-headers.js';

/** Keyed by Node's error code. The statuses differ for proxies although the contract (1.2) has one code for all. */
const REFUSALS: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'Path and headers are larger than 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
};
const MALFORMED = ['400 Bad Request', 'The request is not well-formed HTTP.'] as const;

/** The answer to bytes that Node's HTTP parser rejects, when there is no request object; closes the connection. */
export function clientErrorAnswer({ code = '' }: NodeJS.ErrnoException): string {
  const [status, message] = REFUSALS[code] ?? MALFORMED;
  const body = JSON.stringify(errorBody('invalid_request', message));
  return [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${newId()}`,
    'Cache-Control: no-store',
    ...SECURITY_HEADERS.map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

import type { Socket } from 'node:net';
import { newId } from '../ids/uuid.js';
import { errorBody } from './error-reply.js';
import { ERROR_STATUS } from './error-status.js';

const BODY = JSON.stringify(
  errorBody('invalid_request', 'The request is not well-formed HTTP, too large, or too slow.'),
);

/** Answers what Node's HTTP parser gave up on, for which there is no request object; then closes the connection. */
export function answerClientError(_error: Error, socket: Socket): void {
  if (!socket.writable || answerHasBegun(socket)) {
    socket.destroy();
    return;
  }
  socket.end(
    [
      `HTTP/1.1 ${ERROR_STATUS.invalid_request} Bad Request`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(BODY)}`,
      `X-Request-Id: ${newId()}`,
      'Connection: close',
      '',
      BODY,
    ].join('\r\n'),
  );
}

/** Node keeps the response in progress there (its own handler asks the same); a second one would garble it. */
function answerHasBegun(socket: Socket): boolean {
  const message = (socket as unknown as Record<string, { readonly headersSent?: boolean } | null>)['_httpMessage'];
  return message?.headersSent === true;
}

import { connect } from 'node:net';
import { KEY, startTestApi, type TestApi } from './test-api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.app.close());

/** Writes bytes as they are, and reads until the server closes or has answered `answers` times. */
function exchange(text: string, answers = 1): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(api.port(), '127.0.0.1', () => socket.write(text));
    let received = '';
    socket.setTimeout(5000, () => socket.destroy(new Error(`no end of the answer: ${received}`)));
    socket.on('error', (error) => (received === '' ? reject(error) : resolve(received)));
    socket.on('close', () => resolve(received));
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (received.split('"error"').length > answers && received.endsWith('}}')) socket.destroy();
    });
  });
}

const request = (lines: string[], body = '') => `${lines.join('\r\n')}\r\n\r\n${body}`;
const host = 'Host: api.example.com';
const key = `X-API-Key: ${KEY}`;
const json = 'Content-Type: application/json';

describe('requests that Node or Fastify would refuse with their own errors', () => {
  it.each<[string, string, number, string]>([
    ['no HTTP at all', 'HELO there\r\n\r\n', 400, 'invalid_request'],
    ['a binary greeting', '\x16\x03\x01\x02\x00\x01\x00', 400, 'invalid_request'],
    [
      'headers beyond 16 KiB',
      request(['GET /open HTTP/1.1', host, `X-Long: ${'x'.repeat(20_000)}`]),
      431,
      'invalid_request',
    ],
    ['a path beyond 16 KiB', request([`GET /${'x'.repeat(20_000)} HTTP/1.1`, host]), 431, 'invalid_request'],
    ['no Host', request(['GET /open HTTP/1.1']), 400, 'invalid_request'],
    [
      'a length and chunks at once',
      request(
        ['POST /v1/echo HTTP/1.1', host, key, json, 'Content-Length: 5', 'Transfer-Encoding: chunked'],
        '0\r\n\r\n',
      ),
      400,
      'invalid_request',
    ],
    [
      'two lengths',
      request(['POST /v1/echo HTTP/1.1', host, key, json, 'Content-Length: 2', 'Content-Length: 5'], '{}'),
      400,
      'invalid_request',
    ],
    [
      'a length that is no number',
      request(['POST /v1/echo HTTP/1.1', host, key, json, 'Content-Length: +2'], '{}'),
      400,
      'invalid_request',
    ],
    [
      'chunks hidden behind another coding',
      request(['POST /v1/echo HTTP/1.1', host, key, json, 'Transfer-Encoding: chunked, identity'], '0\r\n\r\n'),
      400,
      'invalid_request',
    ],
    [
      'a space before the colon',
      request(['POST /v1/echo HTTP/1.1', host, key, json, 'Content-Length : 2'], '{}'),
      400,
      'invalid_request',
    ],
    [
      'a header folded over two lines',
      request(['POST /v1/echo HTTP/1.1', host, key, json, 'X-Fold: a', '\tb: c', 'Content-Length: x'], ''),
      400,
      'invalid_request',
    ],
    [
      'a bare line feed in a chunk',
      request(['POST /v1/echo HTTP/1.1', host, key, json, 'Transfer-Encoding: chunked'], '2\n{}\r\n0\r\n\r\n'),
      400,
      'invalid_request',
    ],
    [
      'a broken chunk',
      request(['POST /v1/echo HTTP/1.1', host, key, json, 'Transfer-Encoding: chunked'], 'zz\r\n'),
      400,
      'invalid_request',
    ],
    ['a method of WebDAV', request(['PROPFIND /v1/echo HTTP/1.1', host]), 405, 'method_not_allowed'],
    ['TRACE', request(['TRACE /v1/echo HTTP/1.1', host]), 405, 'method_not_allowed'],
    ['an asterisk', request(['OPTIONS * HTTP/1.1', host]), 404, 'not_found'],
    ['a path that cannot be decoded', request(['GET /v1/%zz HTTP/1.1', host]), 404, 'not_found'],
    ['a NUL in the path', request(['GET /v1/%00 HTTP/1.1', host]), 404, 'not_found'],
    [
      'an unknown expectation',
      request(['POST /v1/echo HTTP/1.1', host, 'Expect: a-miracle', 'Content-Length: 0']),
      401,
      'unauthorized',
    ],
    [
      'an expectation of 100',
      request(['POST /v1/echo HTTP/1.1', host, key, json, 'Expect: 100-continue', 'Content-Length: 2'], '{}'),
      422,
      'validation_failed',
    ],
    [
      'an upgrade',
      request(['GET /v1/nothing HTTP/1.1', host, 'Connection: Upgrade', 'Upgrade: websocket']),
      404,
      'not_found',
    ],
    [
      'two content types',
      request(['POST /v1/echo HTTP/1.1', host, key, json, json, 'Content-Length: 2'], '{}'),
      415,
      'unsupported_media_type',
    ],
    ['two hosts', request(['POST /v1/echo HTTP/1.1', host, 'host: other.example.com']), 400, 'invalid_request'],
    ['the same host twice', request(['GET /open HTTP/1.1', host, host]), 400, 'invalid_request'],
    ['two keys', request(['GET /v1/jobs/1 HTTP/1.1', host, key, key]), 401, 'unauthorized'],
    [
      'chunks twice',
      request(
        ['POST /v1/echo HTTP/1.1', host, key, json, 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'],
        '0\r\n\r\n',
      ),
      400,
      'invalid_request',
    ],
  ])('%s', async (_name, bytes, status, code) => {
    const answer = await exchange(bytes);
    expect(answer).toMatch(new RegExp(`HTTP/1\\.1 ${status} `));
    expect(answer.slice(answer.lastIndexOf('{"error"'))).toMatch(
      new RegExp(`^\\{"error":\\{"code":"${code}","message":"[^"]+"\\}\\}$`),
    );
    expect(answer).toMatch(/^x-request-id: [0-9a-f-]{36}\r$/im);
  });

  it('stops reading chunks at the limit', async () => {
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const head = request(['POST /v1/echo HTTP/1.1', host, key, json, 'Transfer-Encoding: chunked']);
    const answer = await exchange(head + chunk.repeat(5));
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('serves the next request of a connection after a refusal', async () => {
    const refused = request(['POST /v1/echo HTTP/1.1', host, json, 'Content-Length: 2'], '{}');
    const answer = await exchange(refused + request(['GET /v1/nothing HTTP/1.1', host]), 2);
    expect(answer.match(/HTTP\/1\.1 (\d+)/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 404']);
  });
});

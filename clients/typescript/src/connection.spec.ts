import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Call, charged, Connection } from './connection.js';
import { ConnectionError, MailvetError } from './errors.js';

const CALL: Call = { method: 'POST', path: '/v1/verify/single', json: { email: 'a@example.com' }, repeatable: 'yes' };
const answer = (status: number, body: object, headers: Record<string, string> = {}) =>
  Promise.resolve(new Response(JSON.stringify(body), { status, headers }));

function connectionTo(fetch: () => Promise<Response>, timeoutMs = 60_000) {
  const send = jest.fn<Promise<Response>, []>(fetch);
  const url = new URL('http://mailvet.example.com');
  const connection = new Connection({ url, key: 'mv_test_x', retries: 1, maxWaitMs: 0, timeoutMs, fetch: send });
  return { connection, send };
}

it.each([
  ['a body that JSON cannot say', { json: { email: 1n } }],
  ['an Idempotency-Key that no header can carry', { idempotencyKey: 'order–7' }],
])('reports %s at once, and as no failure of the connection', async (_, wrong) => {
  const { connection, send } = connectionTo(() => answer(200, {}));
  await expect(connection.send({ ...CALL, ...wrong })).rejects.toMatchObject({ name: 'TypeError' });
  expect(send).not.toHaveBeenCalled();
});

it('waits as long as it takes where no time is set', async () => {
  const { connection } = connectionTo(
    () => new Promise((resolve) => setTimeout(() => resolve(answer(200, {})), 50)),
    Infinity,
  );
  await expect(connection.send(CALL)).resolves.toMatchObject({ body: {} });
});

it('says where an answer points', async () => {
  const { connection } = connectionTo(() => answer(301, {}, { location: 'https://mailvet.example.com/' }));
  const error: unknown = await connection.send(CALL).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(MailvetError);
  expect(error).toMatchObject({ status: 301, code: 'unexpected_answer' });
  expect((error as Error).message).toContain('https://mailvet.example.com/');
});

it('repeats a call whose connection broke', async () => {
  const { connection, send } = connectionTo(() => Promise.reject(new TypeError('fetch failed')));
  await expect(connection.send(CALL)).rejects.toThrow(ConnectionError);
  expect(send).toHaveBeenCalledTimes(2);
});

it.each([
  ['says nothing', (): void => undefined],
  ['stops in the middle of its answer', (response: ServerResponse) => void response.writeHead(200).write('{"email":')],
])('gives up a server that %s, and asks again with the same Idempotency-Key', async (_, handle) => {
  const keys: unknown[] = [];
  const server = createServer(({ headers }, response) => {
    keys.push(headers['idempotency-key']);
    handle(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const settings = { url, key: 'mv_test_x', retries: 1, maxWaitMs: 0, timeoutMs: 200, fetch: undefined };
  const call = { ...charged({}), path: '/v1/verify/single', json: {} };
  await expect(new Connection(settings).send(call)).rejects.toMatchObject({
    name: 'ConnectionError',
    message: expect.stringContaining('No answer within 200 ms.') as string,
  });
  expect(keys).toEqual([expect.any(String), keys[0]]);
  server.closeAllConnections();
  server.close();
});

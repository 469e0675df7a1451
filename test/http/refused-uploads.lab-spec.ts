import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { KEY, startTestApi, type TestApi } from './test-api.js';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.app.close());

const SIZE = 9 * 1024 * 1024;
const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };

const PYTHON = `
import http.client, sys
connection = http.client.HTTPConnection('127.0.0.1', int(sys.argv[1]), timeout=60)
for _ in range(5):
    connection.request('POST', '/v1/large', body=b'x' * ${SIZE}, headers=${JSON.stringify(headers)})
    answer = connection.getresponse()
    answer.read()
    print(answer.status)
`;

/** Status of an upload by Node's own client, which writes its body whatever it hears. */
async function upload(): Promise<number | undefined> {
  const call = request({
    port: api.port(),
    method: 'POST',
    path: '/v1/large',
    headers: { ...headers, 'content-length': SIZE },
  });
  call.end(Buffer.alloc(SIZE, 'x'));
  const [answer] = await once(call, 'response');
  answer.resume();
  return answer.statusCode;
}

describe('the sender of a 9 MiB body receives the refusal', () => {
  it('with fetch', async () => {
    const statuses = [];
    for (let i = 0; i < 5; i++) {
      const init = { method: 'POST', headers, body: Buffer.alloc(SIZE, 'x') };
      statuses.push((await fetch(`http://127.0.0.1:${api.port()}/v1/large`, init)).status);
    }
    expect(statuses).toEqual(Array(5).fill(413));
  });

  it("with Node's http", async () => {
    const statuses = [];
    for (let i = 0; i < 5; i++) statuses.push(await upload());
    expect(statuses).toEqual(Array(5).fill(413));
  });

  it("with Python's http.client, if installed", async () => {
    if (spawnSync('python3', ['--version']).status !== 0) return console.warn('there is no python3: skipped');
    const python = spawn('python3', ['-c', PYTHON, String(api.port())]);
    let printed = '';
    python.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    python.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await once(python, 'close');
    expect(printed).toBe('413\n'.repeat(5));
  });
});

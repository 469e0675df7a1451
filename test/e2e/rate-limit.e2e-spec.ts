import { startProduct, type Answered, type Product, type RunningApi } from '../support/product.js';

const CAPACITY = 60;

let product: Product;
let apis: RunningApi[];
let key: string;

beforeAll(async () => {
  product = await startProduct({ SMTP_HELO_NAME: 'prober.test' });
  const account = await product.cli<{ id: string }>('account', 'create', '--name', 'Test', '--plan', 'free');
  ({ key } = await product.cli<{ key: string }>('key', 'create', account.id, '--mode', 'live'));
  apis = [await product.startApi(), await product.startApi()];
});
afterAll(() => product?.close());

it('two processes share one bucket, and report the same values', async () => {
  const began = performance.now();
  const answers: Answered[] = [];
  // Some at a time: an API that has hundreds to begin at once may not hear in time what Redis says, and counts by itself.
  for (let wave = 0; wave < 10; wave++) {
    const calls = Array.from({ length: 40 }, (_, i) => apis[i % 2]!.verify(key, { email: 'no address' }));
    answers.push(...(await Promise.all(calls)));
  }
  const flowedIn = ((performance.now() - began) * CAPACITY) / 60_000;
  const served = answers.filter(({ status }) => status === 200);
  expect(served.length).toBeGreaterThanOrEqual(CAPACITY);
  expect(served.length).toBeLessThanOrEqual(CAPACITY + Math.ceil(flowedIn));
  const refused = answers.filter(({ status }) => status === 429);
  expect(served.length + refused.length).toBe(400);
  for (const { headers, body } of refused) {
    expect(body).toEqual({ error: { code: 'rate_limit_exceeded', message: expect.any(String) } });
    expect(headers.get('retry-after')).toBe('1');
    expect(headers.get('x-ratelimit-limit')).toBe(String(CAPACITY));
    expect(headers.get('x-ratelimit-remaining')).toBe('0');
  }
  // No two of those served were told the same, but for what flowed in meanwhile.
  const told = new Set(served.map(({ headers }) => headers.get('x-ratelimit-remaining')));
  expect(told.size).toBe(CAPACITY);
});

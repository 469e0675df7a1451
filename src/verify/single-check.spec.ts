import { checkOf, FOUND, NONE, resultOf, verifyScene } from '../../test/factories/verify-scene.js';

it('a check that ends while its probe is deferred is the answer, and the probe is dropped', async () => {
  jest.useFakeTimers();
  const { single, dns, live, adding, happened } = verifyScene();
  dns.resolve({ kind: 'checked', check: checkOf('ada@example.com', 'standard', FOUND) });
  adding.meanwhile = async () => {
    live.resolve({ kind: 'checked', check: checkOf('ada@example.com', 'standard', NONE) });
    await jest.advanceTimersByTimeAsync(0);
  };
  const call = single('ada@example.com');
  await jest.advanceTimersByTimeAsync(500);
  const response = await call;
  expect(resultOf(response)).toMatchObject({ reason: 'no_mx' });
  expect(response.waiting).toBeUndefined();
  await response.after?.(true);
  expect(happened.slice(3)).toEqual(['add standard', 'drop row']);
  jest.useRealTimers();
});

import { FREE } from '../../billing/price.js';
import { sandboxBatch, sandboxSingle } from './sandbox.js';

const LIMITED = { code: 'rate_limit_exceeded', retryAfterSeconds: 1 };

describe('a single call with a sandbox key', () => {
  it('gets a free result', () => {
    const delivery = sandboxSingle(' Valid@Example.com ', 'standard');
    expect(delivery).toMatchObject({ status: 200, price: FREE, headers: {}, body: { email: 'valid@example.com' } });
    expect(delivery.waiting).toBeUndefined();
  });

  it('gets Retry-After while it is pending', () => {
    expect(sandboxSingle('pending@example.com', 'quick').headers).toEqual({ 'Retry-After': '2' });
  });

  it('fails if the local part demands it, in any spelling', () => {
    expect(() => sandboxSingle('"RateLimit"@example.com', 'quick')).toThrow(expect.objectContaining(LIMITED));
    expect(() => sandboxSingle('ServerError@example.com', 'enhanced')).toThrow(
      expect.objectContaining({ code: 'verify_unavailable', retryAfterSeconds: 5 }),
    );
  });
});

describe('a batch with a sandbox key', () => {
  it('gets an entry for each address, in order, repeats included', () => {
    const sent = ['role@example.com', 'nothing', 'servererror@example.com', null, 'role@example.com', 'x'.repeat(1025)];
    const { body, price } = sandboxBatch(sent, 'standard');
    expect(price).toEqual(FREE);
    expect(body).toMatchObject({
      results: [
        { email: 'role@example.com', result: 'role' },
        { email: 'nothing', error: 'invalid_email' },
        { email: 'servererror@example.com', error: 'verify_unavailable' },
        { email: null, error: 'invalid_email' },
        { email: 'role@example.com', result: 'role' },
        { email: sent[5], error: 'invalid_email' },
      ],
    });
  });

  it('gets Retry-After while one entry is pending', () => {
    expect(sandboxBatch(['valid@example.com', 'pending@example.com'], 'standard').headers).toEqual({
      'Retry-After': '10',
    });
    expect(sandboxBatch(['valid@example.com'], 'standard').headers).toEqual({});
  });

  it('is refused whole if one entry demands it', () => {
    expect(() => sandboxBatch(['valid@example.com', 'ratelimit@example.com'], 'standard')).toThrow(
      expect.objectContaining(LIMITED),
    );
  });
});

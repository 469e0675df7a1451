import { only } from '../../test/factories/only.js';
import { plan } from '../../test/factories/plan.js';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../platform/errors/app-error.js';
import { ApiKeyGate } from './api-key.gate.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { generateApiKey, hashApiKey } from './api-key.js';
import { MalformedKeyError, UnknownKeyError } from './auth.errors.js';
import { callerOf, type Caller } from './caller.js';

const KEY = generateApiKey('mv', 'live');
const CALLER: Caller = {
  accountId: 'account',
  keyId: 'key id',
  mode: 'test',
  plan: plan(),
};

const NO_VALID_KEY = 'The X-API-Key header is missing or holds no valid key.';

function request(headers: Record<string, string | string[] | undefined> = {}): FastifyRequest {
  return { headers, context: { requestId: 'r', responseHeaders: new Map() } } as unknown as FastifyRequest;
}

const keyed = (key: string | string[] | undefined): FastifyRequest => request({ 'x-api-key': key });

function setUp(answer: Caller | null | Error, remembered = new Map<string, Caller>()) {
  const asked: string[] = [];
  const touched: string[] = [];
  const find = async (hash: string): Promise<Caller | null> => {
    asked.push(hash);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const gate = new ApiKeyGate(
    only({ find, remembered: (hash) => remembered.get(hash) }),
    only({ touch: (id) => void touched.push(id) }),
    only({ keys: { prefix: 'mv' } }),
  );
  return { gate, asked, touched };
}

function executionOf(fastifyRequest: FastifyRequest): ExecutionContext {
  return { switchToHttp: () => ({ getRequest: () => fastifyRequest }) } as unknown as ExecutionContext;
}

describe('ApiKeyGate', () => {
  it('looks the caller up by the hash of the key, puts it into the context, and records the use', async () => {
    const { gate, asked, touched } = setUp(CALLER);
    const admitted = keyed(KEY);
    await gate.admit(admitted);
    expect(callerOf(admitted)).toBe(CALLER);
    expect(asked).toEqual([hashApiKey(KEY)]);
    expect(touched).toEqual(['key id']);
  });

  it('recognises a cached key without a look-up, puts the same caller into the context, and records the use', () => {
    const { gate, asked, touched } = setUp(null, new Map([[hashApiKey(KEY), CALLER]]));
    const recognised = keyed(KEY);
    expect(gate.recognise(recognised)).toBe(true);
    expect(callerOf(recognised)).toBe(CALLER);
    expect(recognised.context.responseHeaders.get('X-Sandbox')).toBe('true');
    expect(asked).toEqual([]);
    expect(touched).toEqual(['key id']);
  });

  it('marks the sandbox, and no live key', async () => {
    const { gate } = setUp({ ...CALLER, mode: 'live' });
    const admitted = keyed(KEY);
    await gate.admit(admitted);
    expect(admitted.context.responseHeaders.has('X-Sandbox')).toBe(false);
  });

  it.each([undefined, '', KEY, `${KEY} `, [KEY], 'x'.repeat(10_000)])('recognises no %j', (header) => {
    const { gate, touched } = setUp(CALLER, new Map([[hashApiKey('x'.repeat(10_000)), CALLER]]));
    const stranger = keyed(header);
    expect(gate.recognise(stranger)).toBe(false);
    expect(callerOf(stranger)).toBeNull();
    expect(touched).toEqual([]);
  });

  it.each([
    ['no header', request(), MalformedKeyError],
    ['an empty header', keyed(''), MalformedKeyError],
    ['another header', request({ authorization: `Bearer ${KEY}` }), MalformedKeyError],
    ['a mistyped key', keyed(`${KEY.slice(0, -1)}${KEY.endsWith('0') ? '1' : '0'}`), MalformedKeyError],
    ['a key of another installation', keyed(generateApiKey('other', 'live')), MalformedKeyError],
    ['a scheme before the key', keyed(`Bearer ${KEY}`), MalformedKeyError],
    ['the key twice', keyed(`${KEY}, ${KEY}`), MalformedKeyError],
    ['a list of headers', keyed([KEY]), MalformedKeyError],
    ['an expired, revoked or unknown key', keyed(KEY), UnknownKeyError],
  ])('refuses %s, looks no malformed key up, and records no use', async (_, refused, reason) => {
    const { gate, asked, touched } = setUp(null);
    const refusal = gate.admit(refused);
    await expect(refusal).rejects.toBeInstanceOf(reason);
    await expect(refusal).rejects.toMatchObject({ code: 'unauthorized', message: NO_VALID_KEY });
    expect(callerOf(refused)).toBeNull();
    expect(asked).toHaveLength(reason === UnknownKeyError ? 1 : 0);
    expect(touched).toEqual([]);
  });

  it('answers 503, not 401, while the database is down', async () => {
    const { gate } = setUp(new AppError('service_unavailable', 'down'));
    await expect(gate.admit(keyed(KEY))).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});

describe('ApiKeyGuard', () => {
  it('accepts a request that the gate has cleared', async () => {
    const admitted = keyed(KEY);
    await setUp(CALLER).gate.admit(admitted);
    expect(new ApiKeyGuard().canActivate(executionOf(admitted))).toBe(true);
  });

  it('refuses a request that did not pass the gate, whatever key it carries', () => {
    const around = executionOf(keyed(KEY));
    expect(() => new ApiKeyGuard().canActivate(around)).toThrow(expect.objectContaining({ code: 'internal_error' }));
  });
});

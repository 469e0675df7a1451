import { plan } from '../../test/factories/plan.js';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiKeyGate } from './api-key.gate.js';
import { ApiKeyGuard } from './api-key.guard.js';
import type { ApiKeyService, Authentication } from './api-key.service.js';
import { MalformedKeyError, UnknownKeyError } from './auth.errors.js';
import { callerOf, type Caller } from './caller.js';

const CALLER: Caller = {
  accountId: 'account',
  keyId: 'key',
  mode: 'test',
  plan: plan(),
};

const NO_VALID_KEY = 'The X-API-Key header is missing or holds no valid key.';

function request(headers: Record<string, string> = {}): FastifyRequest {
  return { headers, context: { requestId: 'r', responseHeaders: new Map() } } as unknown as FastifyRequest;
}

function gateThatKnows(key: string): ApiKeyGate {
  const authenticate = async (header: unknown): Promise<Authentication> => {
    if (header === key) return { kind: 'authenticated', caller: CALLER };
    return { kind: header === undefined ? 'malformed' : 'unknown' };
  };
  const recognise = (header: unknown): Caller | null => (header === `recent ${key}` ? CALLER : null);
  return new ApiKeyGate({ authenticate, recognise } as unknown as ApiKeyService);
}

function executionOf(fastifyRequest: FastifyRequest): ExecutionContext {
  return { switchToHttp: () => ({ getRequest: () => fastifyRequest }) } as unknown as ExecutionContext;
}

describe('ApiKeyGate', () => {
  it('puts the caller into the request context', async () => {
    const admitted = request({ 'x-api-key': 'k' });
    await gateThatKnows('k').admit(admitted);
    expect(callerOf(admitted)).toBe(CALLER);
  });

  it('recognises a cached key synchronously and puts the same caller into the context', () => {
    const recognised = request({ 'x-api-key': 'recent k' });
    expect(gateThatKnows('k').recognise(recognised)).toBe(true);
    expect(callerOf(recognised)).toBe(CALLER);
    expect(recognised.context.responseHeaders.get('X-Sandbox')).toBe('true');
    const stranger = request({ 'x-api-key': 'k' });
    expect(gateThatKnows('k').recognise(stranger)).toBe(false);
    expect(callerOf(stranger)).toBeNull();
  });

  it.each([
    [{}, MalformedKeyError],
    [{ 'x-api-key': 'wrong' }, UnknownKeyError],
    [{ authorization: 'Bearer k' }, MalformedKeyError],
  ])('refuses %j', async (headers, reason) => {
    const refused = request(headers);
    const refusal = gateThatKnows('k').admit(refused);
    await expect(refusal).rejects.toBeInstanceOf(reason);
    await expect(refusal).rejects.toMatchObject({ code: 'unauthorized', message: NO_VALID_KEY });
    expect(callerOf(refused)).toBeNull();
  });
});

describe('ApiKeyGuard', () => {
  it('accepts a request that the gate has cleared', async () => {
    const admitted = request({ 'x-api-key': 'k' });
    await gateThatKnows('k').admit(admitted);
    expect(new ApiKeyGuard().canActivate(executionOf(admitted))).toBe(true);
  });

  it('refuses a request that did not pass the gate, whatever key it carries', () => {
    const around = executionOf(request({ 'x-api-key': 'k' }));
    expect(() => new ApiKeyGuard().canActivate(around)).toThrow(expect.objectContaining({ code: 'internal_error' }));
  });
});

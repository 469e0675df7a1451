import { plan } from '../../test/factories/plan.js';
import type { AppConfig } from '../platform/config/app-config.js';
import { AppError } from '../platform/errors/app-error.js';
import { generateApiKey, hashApiKey } from './api-key.js';
import { ApiKeyService } from './api-key.service.js';
import type { CallerDirectory } from './caller-directory.js';
import type { Caller } from './caller.js';
import type { KeyUsage } from './key-usage.js';

const KEY = generateApiKey('mv', 'live');
const CALLER: Caller = {
  accountId: 'account',
  keyId: 'key id',
  mode: 'live',
  plan: plan(),
};

function setUp(
  answer: Caller | null | Error,
  remembered = new Map<string, Caller>(),
): { service: ApiKeyService; asked: string[]; touched: string[] } {
  const asked: string[] = [];
  const touched: string[] = [];
  const find = async (hash: string): Promise<Caller | null> => {
    asked.push(hash);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const directory = { find, remembered: (hash: string) => remembered.get(hash) } as CallerDirectory;
  const usage = { touch: (id: string) => void touched.push(id) } as KeyUsage;
  const service = new ApiKeyService(directory, usage, { keys: { prefix: 'mv' } } as AppConfig);
  return { service, asked, touched };
}

describe('ApiKeyService', () => {
  it('looks the caller up by the hash of the key and records the use', async () => {
    const { service, asked, touched } = setUp(CALLER);
    expect(await service.authenticate(KEY)).toEqual({ kind: 'authenticated', caller: CALLER });
    expect(asked).toEqual([hashApiKey(KEY)]);
    expect(touched).toEqual(['key id']);
  });

  it('recognises a cached key without a look-up and records the use', () => {
    const { service, asked, touched } = setUp(null, new Map([[hashApiKey(KEY), CALLER]]));
    expect(service.recognise(KEY)).toBe(CALLER);
    expect(asked).toEqual([]);
    expect(touched).toEqual(['key id']);
  });

  it.each([undefined, '', KEY, `${KEY} `, [KEY], 'x'.repeat(10_000)])('recognises no %j', (header) => {
    const { service, touched } = setUp(CALLER, new Map([[hashApiKey('x'.repeat(10_000)), CALLER]]));
    expect(service.recognise(header)).toBeNull();
    expect(touched).toEqual([]);
  });

  it('records no use of an expired or revoked key', async () => {
    const { service, touched } = setUp(null);
    expect(await service.authenticate(KEY)).toEqual({ kind: 'unknown' });
    expect(touched).toEqual([]);
  });

  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['a mistyped key', `${KEY.slice(0, -1)}${KEY.endsWith('0') ? '1' : '0'}`],
    ['a key of another installation', generateApiKey('other', 'live')],
    ['a scheme before the key', `Bearer ${KEY}`],
    ['the key twice', `${KEY}, ${KEY}`],
    ['a list of headers', [KEY]],
  ])('refuses %s without a look-up', async (_, header) => {
    const { service, asked } = setUp(CALLER);
    expect(await service.authenticate(header)).toEqual({ kind: 'malformed' });
    expect(asked).toEqual([]);
  });

  it('answers 503, not 401, while the database is down', async () => {
    const { service } = setUp(new AppError('service_unavailable', 'down'));
    await expect(service.authenticate(KEY)).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});

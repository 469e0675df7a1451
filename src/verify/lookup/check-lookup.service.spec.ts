import { parseAddress } from '../../engine/address/parse-address.js';
import type { Address } from '../../engine/address/address.js';
import { FOUND, probeFacts, silence } from '../../../test/factories/check-facts.js';
import type { Mode } from '../../engine/verdict/result.js';
import type { CachedCheck } from '../cache/cached-check.js';
import type { CatchAllRepository } from '../../domains/catch-all/catch-all.repository.js';
import type { DomainRecords } from './domain-records.js';
import type { AddressVault } from '../address-vault/address-vault.js';
import type { CheckCacheRepository, CheckOnRecord } from '../cache/check-cache.repository.js';
import type { PendingProbesRepository } from '../probes/pending-probes.repository.js';
import { CheckLookupService } from './check-lookup.service.js';

const addressOf = (email: string): Address => {
  const parsed = parseAddress(email);
  if (!parsed.ok) throw new Error('no address');
  return parsed.address;
};
const hashOf = (address: Pick<Address, 'localPart' | 'domain'>): string => `${address.localPart} at ${address.domain}`;

function onRecord(
  email: string,
  catchAllAt: Date | null = null,
  domain = 'example.com',
  probe = probeFacts(),
): [string, CheckOnRecord] {
  const hash = hashOf(addressOf(email));
  const check: CachedCheck = {
    hash,
    domain,
    depth: 'standard',
    facts: { mailHosts: FOUND, probe },
    checkedAt: new Date(),
    expiresAt: new Date(Date.now() + 86_400_000),
    engineVersion: 1,
  };
  return [hash, { check, catchAllAt }];
}

/** Cached checks, known domains, and the log of requests. */
function factsOver(record: [string, CheckOnRecord][], learnt: Record<string, Date> = {}, onPending = () => {}) {
  const asked: string[] = [];
  const cache: Pick<CheckCacheRepository, 'findWithDomains'> = {
    findWithDomains: async (hashes) => {
      asked.push(`record ${hashes.join()}`);
      return new Map(record.filter(([hash]) => hashes.includes(hash)));
    },
  };
  const catchAlls: Pick<CatchAllRepository, 'findCatchAlls'> = {
    findCatchAlls: async (domains) => {
      asked.push(`catch-alls ${domains.join()}`);
      return new Map(Object.entries(learnt).filter(([domain]) => domains.includes(domain)));
    },
  };
  const pending: Pick<PendingProbesRepository, 'findStates'> = {
    findStates: async (hashes) => {
      asked.push(`pending ${hashes.join()}`);
      onPending();
      return new Map();
    },
  };
  const vault: Pick<AddressVault, 'hashes'> = { hashes: (address) => [hashOf(address)] };
  const records: Pick<DomainRecords, 'lookUp'> = { lookUp: () => new Map() };
  const facts = new CheckLookupService(
    vault as AddressVault,
    cache as CheckCacheRepository,
    catchAlls as CatchAllRepository,
    records as DomainRecords,
    pending as PendingProbesRepository,
  );
  const look = (emails: readonly string[], mode: Mode, maxAgeSeconds: number | null = null) =>
    facts.lookUp(emails.map(addressOf), { account: 'a', mode, maxAgeSeconds });
  return { look, asked };
}

const emails = ['ada@example.com', 'bob@other.example', 'cid@other.example'];

it('looks all addresses up in one query, and reads nothing more if cached checks answer', async () => {
  const { look, asked } = factsOver(emails.map((email) => onRecord(email)));
  const known = await look(emails, 'standard');
  expect(known.map(({ cached }) => cached?.hash)).toEqual(emails.map((email) => hashOf(addressOf(email))));
  expect(asked).toEqual(['record ada at example.com,bob at other.example,cid at other.example']);
});

it('reads catch-all knowledge with the cached check, else from the domain', async () => {
  const record = [onRecord('ada@example.com', new Date())];
  const { look, asked } = factsOver(record, { 'other.example': new Date() });
  const known = await look(emails, 'standard');
  expect(known.map(({ domain }) => domain.catchAll)).toEqual([true, true, true]);
  expect(asked.slice(1)).toEqual(['catch-alls other.example', 'pending bob at other.example,cid at other.example']);
});

it.each<[Mode, boolean]>([
  ['quick', true],
  ['standard', true],
  ['enhanced', false],
])('lets a %s call know of an old finding that the domain accepts everybody: %s', async (mode, expected) => {
  const found = new Date(Date.now() - 3_600_000);
  const { look } = factsOver([onRecord('ada@example.com', found)], {
    'example.com': found,
    'other.example': found,
  });
  const known = await look(emails, mode, 60);
  expect(known.map(({ domain }) => domain.catchAll)).toEqual([expected, expected, expected]);
});

it('looks up only the domains of a quick call', async () => {
  const { look, asked } = factsOver([onRecord('ada@example.com')], { 'other.example': new Date() });
  const known = await look(emails, 'quick');
  expect(known.map(({ cached, hash, domain }) => [cached, hash, domain.catchAll])).toEqual([
    [null, '', false],
    [null, '', true],
    [null, '', true],
  ]);
  expect(asked).toEqual(['catch-alls example.com,other.example']);
});

it('finds the verdict of a probe that ends between the read of the checks and that of pending probes', async () => {
  const silent = silence('timeout', 'rcpt');
  const record = [onRecord('ada@example.com', null, 'example.com', silent)];
  const { look, asked } = factsOver(record, {}, () => (record[0] = onRecord('ada@example.com')));
  const [known] = await look(['ada@example.com'], 'standard');
  expect(known?.cached?.facts.probe).toEqual(probeFacts());
  expect(asked).toEqual(['record ada at example.com', 'pending ada at example.com', 'record ada at example.com']);
});

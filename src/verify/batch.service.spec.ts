import { only } from '../../test/factories/only.js';
import { signalLists } from '../../test/factories/signal-lists.js';
import type { MeteredResponse } from '../billing/metering/metered-response.js';
import type { Price } from '../billing/price.js';
import type { Knowledge } from '../engine/assess.js';
import { parseAddress } from '../engine/address/parse-address.js';
import type { CheckOutcome } from '../engine/check.js';
import { NOTHING_KNOWN } from '../engine/domain-knowledge.js';
import type { MailProvider } from '../engine/smtp/provider.js';
import { NO_CURATED_LISTS } from '../engine/signals/static-curated-lists.js';
import type { Mode } from '../engine/verdict/result.js';
import { AskedProbes } from './probes/asked-probes.js';
import { BatchService } from './batch.service.js';

const knowledge: Knowledge = {
  lists: signalLists({ isRole: (localPart) => localPart === 'info' }),
  curated: NO_CURATED_LISTS,
  findProvider: (host) => (host === 'mx.always.example' ? only<MailProvider>({ acceptsAll: 'always' }) : null),
  suggestCorrection: () => null,
};
const hashOf = (domain: string): string => domain.padEnd(64, '0');

/** Every address has one mail host, which accepts everybody in `always.example`, except those of `down.example`, whose DNS fails on our side. */
function check(email: string, mode: Mode): CheckOutcome {
  const parsed = parseAddress(email);
  if (email.endsWith('@down.example')) return { kind: 'unavailable', why: 'no resolver' };
  const host = email.endsWith('@always.example') ? 'mx.always.example' : 'mx.example.com';
  const mailHosts = { kind: 'found', primary: host, exchanges: [host] } as const;
  const facts = { mailHosts, probe: null };
  return { kind: 'checked', check: { parsed, mode, deferred: true, facts, checkedAt: new Date() } };
}

function scene({ canPay = 100, failed = [] as string[], stale = false } = {}) {
  const happened: string[] = [];
  const kept: number[] = [];
  const asked: string[] = [];
  const service = new BatchService(
    only({
      engine: {
        check: (email, { mode }) => {
          asked.push(email);
          return Promise.resolve(check(email, mode));
        },
      },
      knowledge,
    }),
    only({
      lookUp: (addresses) =>
        Promise.resolve(
          addresses.map(({ domain, localPart }) => {
            const hash = hashOf(`${localPart}.${domain}`);
            const kind = failed.includes(localPart) ? ('failed' as const) : null;
            const pending = kind && { id: 'x', hash, kind, egress: null, dueInMs: 0 };
            const nothing = { cached: null, stale, lastCheckedAt: null, lastResort: null };
            return { hash, ...nothing, domain: NOTHING_KNOWN, pending };
          }),
        ),
    }),
    only({ record: (settled) => Promise.resolve(void kept.push(settled.length)) }),
    new AskedProbes(
      only({
        addProbes: (wanted) => {
          happened.push(`add ${wanted.map(({ address }) => address.localPart).join()}`);
          return Promise.resolve(wanted.map(({ hash }) => ({ hash, id: `id of ${hash.replace(/0+$/, '')}` })));
        },
        dropUnpaid: (ids) => Promise.resolve(void happened.push(`drop ${ids.join()}`)),
      }),
      only({ settle: (ids) => Promise.resolve(void happened.push(`settle ${ids.join()}`)) }),
      only({ queueProbes: (entries) => void happened.push(`queue ${entries.length}`) }),
    ),
  );
  const hold = {
    callerIsGone: () => false,
    canPay: (price: Price) => Promise.resolve(price.credits <= canPay),
    reservePrefix: (prices: readonly number[]) => {
      let sum = 0;
      const end = prices.findIndex((price) => (sum += price) > canPay);
      return Promise.resolve(end === -1 ? prices.length : end);
    },
  };
  const run = (emails: readonly unknown[], mode: Mode = 'standard'): Promise<MeteredResponse> =>
    service.batch(emails, { account: 'a', mode, maxAgeSeconds: null, deadlineMs: 5000 }, hold);
  return { run, happened, kept, asked };
}

const outcomes = ({ body }: MeteredResponse): unknown[] =>
  (body as { results: { reason?: string; error?: string }[] }).results.map(({ reason, error }) => error ?? reason);

describe('BatchService', () => {
  it('adds one pending probe per address, however often it is listed, and bills each entry', async () => {
    const { run, happened } = scene();
    const response = await run(['ada@example.com', 'ADA@example.com', 'info@example.com', 'no address']);
    expect(outcomes(response)).toEqual([
      'verification_pending',
      'verification_pending',
      'role_address',
      'invalid_email',
    ]);
    expect(response.price).toEqual({ addresses: 3, credits: 3, unitPrice: 1 });
    expect(response.waiting).toEqual([
      { waitsOn: 'id of ada.example.com', part: '0', credits: 1 },
      { waitsOn: 'id of ada.example.com', part: '1', credits: 1 },
    ]);
    await response.after?.(true);
    expect(happened).toEqual(['add ada', 'queue 1', 'settle id of ada.example.com']);
  });

  it('returns each spelling of a mailbox as it was sent', async () => {
    const { run, happened } = scene();
    const { body } = await run(['ada@bücher.example', 'ADA@xn--bcher-kva.example', '"ada"@bücher.example']);
    expect((body as { results: { email: string }[] }).results.map(({ email }) => email)).toEqual([
      'ada@bücher.example',
      'ada@xn--bcher-kva.example',
      '"ada"@bücher.example',
    ]);
    expect(happened).toEqual(['add ada']);
  });

  it.each([
    [false, 'fresh'],
    [true, 'cached_stale_refreshed'],
  ])('says of new checks whether they replace others that were too old: %s', async (stale, freshness) => {
    const { body } = await scene({ stale }).run(['ada@example.com', 'info@example.com']);
    expect(body).toMatchObject({ results: [{ freshness }, { freshness }] });
  });

  it('charges nothing for addresses that failed on our side, now or a moment ago', async () => {
    const response = await scene({ failed: ['eve'] }).run(['ada@down.example', 'eve@example.com', 'info@example.com']);
    expect(outcomes(response)).toEqual(['verify_unavailable', 'verify_unavailable', 'role_address']);
    expect(response.price.credits).toBe(1);
    expect(response.headers).toEqual({});
  });

  it('starts nothing beyond the entries that can be paid', async () => {
    const { run, happened, asked } = scene({ canPay: 1 });
    const response = await run(['ada@example.com', 'eve@example.com']);
    expect(outcomes(response)).toEqual(['verification_pending', 'insufficient_credits']);
    expect(happened).toEqual(['add ada']);
    expect(asked).toEqual(['ada@example.com']);
  });

  it('is enhanced with too few credits for the highest price, if its hosts accept everybody', async () => {
    const { run } = scene({ canPay: 2 });
    const response = await run(['ada@always.example', 'eve@always.example', 'ada@example.com'], 'enhanced');
    expect(outcomes(response)).toEqual(['accept_all_provider', 'accept_all_provider', 'insufficient_credits']);
    expect(response.price).toEqual({ addresses: 2, credits: 2, unitPrice: 1 });
  });

  it('is shortened if credits were spent meanwhile, and drops unpaid probes', async () => {
    const { run, happened } = scene();
    const response = await run(['info@example.com', 'ada@example.com', 'eve@example.com']);
    const shorter = response.shorten?.to(2);
    expect(shorter && outcomes(shorter)).toEqual(['role_address', 'verification_pending', 'insufficient_credits']);
    expect(shorter?.price.credits).toBe(2);
    expect(shorter?.waiting).toHaveLength(1);
    await shorter?.after?.(true);
    expect(happened).toEqual(['add ada,eve', 'queue 1', 'settle id of ada.example.com', 'drop id of eve.example.com']);
  });

  it('keeps the probes of a call that may yet be paid, with the price of each', async () => {
    const { run, happened } = scene();
    const response = await run(['ada@example.com'], 'enhanced');
    expect(response.waiting).toEqual([{ waitsOn: 'id of ada.example.com', part: '0', credits: 3 }]);
    await response.after?.(null);
    expect(happened).toEqual(['add ada', 'queue 1', 'settle id of ada.example.com']);
  });

  it('drops every probe of an unpaid call', async () => {
    const { run, happened } = scene();
    await (await run(['ada@example.com'])).after?.(false);
    expect(happened).toEqual(['add ada', 'drop id of ada.example.com']);
  });

  it('keeps what the DNS has settled of a paid call, and of no other', async () => {
    const { run, kept } = scene();
    const response = await run(['info@example.com', 'INFO@example.com', 'ada@example.com']);
    await response.after?.(false);
    expect(kept).toEqual([]);
    await response.after?.(true);
    expect(kept).toEqual([1]);
  });

  it('adds no pending probe in quick mode', async () => {
    const { run, happened } = scene();
    const response = await run(['ada@example.com'], 'quick');
    expect(outcomes(response)).toEqual([null]);
    expect([response.price.credits, happened]).toEqual([0, []]);
  });
});

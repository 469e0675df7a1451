import type { MeteredResponse } from '../../src/billing/metering/metered-response.js';
import type { Price } from '../../src/billing/price.js';
import { parseAddress } from '../../src/engine/address/parse-address.js';
import type { Knowledge } from '../../src/engine/assess.js';
import type { Check, CheckFacts, CheckOutcome } from '../../src/engine/check.js';
import { NOTHING_KNOWN } from '../../src/engine/domain-knowledge.js';
import { NOTHING_LISTED, StaticCuratedLists } from '../../src/engine/signals/static-curated-lists.js';
import type { Mode } from '../../src/engine/verdict/result.js';
import { NOTHING_OF_ADDRESS } from '../../src/verify/lookup/check-lookup.service.js';
import type {
  SynchronousCheckOutcome,
  SynchronousCheckRequest,
} from '../../src/verify/lookup/synchronous-check.service.js';
import { AskedProbes } from '../../src/verify/probes/asked-probes.js';
import type { SingleOptions } from '../../src/verify/single-check.js';
import type { VerifyResult } from '../../src/verify/verify.response.js';
import { VerifyService } from '../../src/verify/verify.service.js';
import { only } from './only.js';
import { signalLists } from './signal-lists.js';

const lists = signalLists({
  isDisposableDomain: (domain) => domain === 'throwaway.example',
  isRole: (localPart) => localPart === 'info',
});
const knowledge: Knowledge = {
  lists,
  curated: new StaticCuratedLists({ ...NOTHING_LISTED, blocked: new Map([['blocked.example', null]]) }),
  findProvider: () => null,
  suggestCorrection: () => null,
};

export const FOUND: CheckFacts = {
  mailHosts: { kind: 'found', primary: 'mx.example.com', exchanges: ['mx.example.com'] },
  probe: null,
};
export const NONE: CheckFacts = { mailHosts: { kind: 'none', why: 'nxdomain', ttlSeconds: 60 }, probe: null };

export function checkOf(email: string, mode: Mode, facts: CheckFacts, deferred = true): Check {
  return { parsed: parseAddress(email), mode, deferred, facts, checkedAt: new Date() };
}

/** A promise that a test settles. */
export function open<T>() {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((settle) => (resolve = settle));
  return { promise, resolve };
}

/** A service whose DNS and mail hosts answer when the test says so, with a log of all events in order. */
export function verifyScene({ canPay = 100, isGone = false, egressClosed = false, stale = false } = {}) {
  const happened: string[] = [];
  const dns = open<CheckOutcome>();
  const live = open<SynchronousCheckOutcome>();
  /** What happens while the row of a probe is written. */
  const adding = { meanwhile: async (): Promise<void> => undefined };
  const service = new VerifyService(
    only({
      engine: {
        check: (email, { deadline }) => {
          happened.push(`dns for ${email} within ${Math.round(deadline.remainingMs() / 1000)} s`);
          return dns.promise;
        },
      },
      knowledge,
      egressClosed,
    }),
    only({
      lookUpOne: (_address, _asked, onMiss) => {
        onMiss?.();
        return Promise.resolve({ ...NOTHING_OF_ADDRESS, hash: 'a'.repeat(64), stale, domain: NOTHING_KNOWN });
      },
    }),
    only({
      check: ({ asked, budgetMs }: SynchronousCheckRequest) => {
        happened.push(`live ${asked.mode} within ${Math.round(budgetMs / 1000)} s`);
        return live.promise;
      },
    }),
    only({ record: () => Promise.resolve(void happened.push('keep')) }),
    new AskedProbes(
      only({
        addProbes: async (wanted) => {
          happened.push(`add ${wanted.map(({ mode }) => mode).join()}`);
          await adding.meanwhile();
          return wanted.map(({ hash }) => ({ hash, id: 'row' }));
        },
        dropUnpaid: (ids) => Promise.resolve(void happened.push(`drop ${ids.join()}`)),
      }),
      only({ settle: (ids) => Promise.resolve(void happened.push(`settle ${ids.join()}`)) }),
      only({
        queueProbes: (entries) =>
          void happened.push(`queue in ${entries.map(({ delayMs = 0 }) => Math.round(delayMs / 1000)).join()} s`),
      }),
    ),
  );
  let balanceReads = 0;
  const waits: number[] = [];
  const hold = {
    readAhead: () => void (balanceReads += 1),
    callerIsGone: () => isGone,
    canPay: (price: Price) => Promise.resolve(price.credits <= canPay),
    reserve: ({ credits }: Price, maxWaitMs: number) => {
      waits.push(maxWaitMs);
      return Promise.resolve(void happened.push(`reserve ${credits}`));
    },
  };
  const single = (email: string, over: Partial<SingleOptions> = {}): Promise<MeteredResponse> =>
    service.single(
      email,
      {
        account: 'a',
        mode: 'standard',
        maxAgeSeconds: null,
        deadlineMs: 8000,
        async: false,
        pendingAfterMs: 500,
        ...over,
      },
      hold,
    );
  return { service, single, happened, dns, live, adding, balanceReads: () => balanceReads, waits };
}

export function resultOf({ body }: MeteredResponse): VerifyResult {
  return body as VerifyResult;
}

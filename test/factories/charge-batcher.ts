import type { AppError } from '../../src/platform/errors/app-error.js';
import { NO_FUNDS } from '../../src/billing/funds.js';
import { ChargeBatcher, type ChargeBatcherOptions } from '../../src/billing/charging/charge-batcher.js';
import type {
  AttemptOutcome,
  Charge,
  ChargeAttempt,
  ChargeOutcome,
  KeptAnswer,
} from '../../src/billing/charging/charge.js';

export const CHARGED: ChargeOutcome = {
  kind: 'charged',
  payment: { purchased: 1, gifted: 0, freeVerifies: 0, month: 202611 },
  funds: NO_FUNDS,
};
/** The name is the reference; its first letter is the account. */
export const charge = (name: string, answer: KeptAnswer | null = null): Charge => ({
  accountId: name[0] ?? '',
  keyId: 'k',
  reference: name,
  price: { addresses: 1, credits: 1, unitPrice: 1 },
  freeVerifiesPerMonth: 0,
  answer,
});

type Answer = (attempt: ChargeAttempt, group: readonly ChargeAttempt[]) => AttemptOutcome;

/** A store that gives scripted replies on the next turn of the event loop, and records its calls. */
function fakeStore(answer: Answer = () => CHARGED) {
  const groups: string[] = [];
  return {
    groups,
    answer,
    added: [] as string[],
    async charge(attempts: readonly ChargeAttempt[]): Promise<AttemptOutcome[]> {
      groups.push(
        attempts.map(({ charge: { reference }, mayStand, intent }) => mark(reference, mayStand, intent)).join(' '),
      );
      await new Promise(setImmediate);
      return attempts.map((attempt) => this.answer(attempt, attempts));
    },
    async addMissingBalances(ids: readonly string[]): Promise<void> {
      this.added.push(...ids);
    },
    close: () => undefined,
  };
}
function mark(reference: string, mayStand: boolean, intent: ChargeAttempt['intent']): string {
  return `${reference}${mayStand ? '?' : ''}${intent === 'charge' ? '' : `-${intent}`}`;
}

export function batcherWith(options: Partial<ChargeBatcherOptions> = {}) {
  const fast = fakeStore();
  const slow = fakeStore();
  const troubles: string[] = [];
  const batcher = new ChargeBatcher({ fast, slow, onTrouble: (what) => troubles.push(what), ...options });
  const run = (...names: string[]) =>
    Promise.allSettled(names.map((name) => batcher.charge(charge(name), () => false)));
  return { batcher, fast, slow, troubles, run };
}
export const results = (settled: readonly PromiseSettledResult<ChargeOutcome>[]): string =>
  settled
    .map((each) => (each.status === 'fulfilled' ? each.value.kind : ((each.reason as AppError).code ?? 'thrown')))
    .join(' ');

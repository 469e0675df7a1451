import type { FastifyRequest } from 'fastify';
import { callerOf, type Caller } from '../auth/caller.js';
import { AppError } from '../platform/errors/app-error.js';
import { newId } from '../platform/ids/uuid.js';
import type { Admission, Admitted } from './admission.js';
import type { ChargeOutcome } from './charge/charge.js';
import type { ChargeLane } from './charge/charge-lane.js';
import { creditsOf, freeVerifiesLeft, pay, type Funds } from './funds.js';
import { showFunds } from './funds-headers.js';
import { IDEMPOTENCY_KEY_RULE, parseIdempotencyKey } from './idempotency/idempotency-key.js';
import type { Lease, StoredAnswer } from './idempotency/idempotency.repository.js';
import { stillRunning, type IdempotencyService } from './idempotency/idempotency.service.js';
import { payablePrefix, type Prefix } from './payable-prefix.js';
import { priceOf, type Price } from './price.js';
import { fundsOf } from './request-funds.js';
import type { WaitingPart } from './waiting/waiting-part.js';

/** What a call delivers, ready to be paid. */
export interface Delivery {
  /** Of a success. */
  readonly status: number;
  /** JSON. */
  readonly body: unknown;
  /** What it costs in the end: nothing for what could not be completed. */
  readonly price: Price;
  /** Headers that belong to the answer, and to every repeat of it. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What of the price waits on deferred probes. */
  readonly waiting?: readonly WaitingPart[];
  /** How less of it is delivered where the balance turns out to be too low; without it such a call is refused. */
  readonly shorten?: {
    /** Credits of each entry, 0 for one that is free: they add up to the price. */
    readonly unitPrices: readonly number[];
    /** The same call, of which only so many entries from the start are delivered. Its own `shorten` is not asked. */
    to(entries: number): Delivery;
  };
  /**
   * Called once after the charge, before the answer is sent, of the delivery that was charged or tried last: true when it
   * is paid or costs nothing, false when it is not delivered. Must not throw.
   */
  readonly after?: (paid: boolean) => void;
}

/** What a call may ask of its account before it does any work. */
export interface Terms {
  /** True when the account could pay so much, as last read, if nothing else were under way. */
  canPay(price: Price): Promise<boolean>;
  /**
   * Lets the call begin what will cost so much at most; it may have to wait for others of its account.
   * @param maxWaitMs then it is refused
   * @throws AppError `insufficient_credits`, or `service_unavailable` when the balance is not known
   */
  admit(price: Price, maxWaitMs: number): Promise<void>;
  /**
   * The same for a call of which a beginning will do (decisions 4.4).
   * @param unitPrices what each entry will cost at most, 0 for one that is free
   * @param maxWaitMs then it gets what there is, or is refused
   * @returns how many entries from the start may be worked on
   * @throws AppError `insufficient_credits` when not even the first entry that costs something can be paid, or
   *   `service_unavailable`
   */
  admitPrefix(unitPrices: readonly number[], maxWaitMs: number): Promise<number>;
}

export interface DeliveriesParts {
  readonly admission: Pick<Admission, 'enter'>;
  readonly lane: Pick<ChargeLane, 'charge'>;
  readonly idempotency: IdempotencyService;
  readonly onTrouble: (what: string, error: unknown) => void;
}

/** A call that runs. */
interface Call {
  readonly request: FastifyRequest;
  readonly caller: Caller;
  /** Of its `Idempotency-Key`. */
  readonly lease: Lease | null;
}

/** How often a call is made shorter that the balance does not reach for: others of its account may be quicker each time. */
const MAX_SHORTENINGS = 5;

/**
 * Answers calls that cost something: paid when the result exists and before it is sent, in one transaction with the answer
 * that is kept for repeats (decisions 4.1, 1.7).
 */
export class Deliveries {
  constructor(private readonly parts: DeliveriesParts) {}

  /**
   * @param what kind of call, the first word of its charge's reference
   * @returns the text of the JSON answer
   * @throws AppError of `work`, `insufficient_credits`, `idempotency_conflict`, `validation_failed` for a key that is none
   */
  async deliver(request: FastifyRequest, what: string, work: (terms: Terms) => Promise<Delivery>): Promise<string> {
    const caller = callerOf(request);
    if (caller === null) throw new Error('a call without a caller cannot be paid');
    const turn = await this.begin(request, caller);
    if (turn?.kind === 'repeat') return replay(request, turn.answer);
    const lease = turn?.lease ?? null;
    try {
      return await this.run({ request, caller, lease }, what, work);
    } catch (error) {
      if (lease !== null) this.release(lease);
      throw error;
    }
  }

  private async begin(request: FastifyRequest, { accountId, mode }: Caller) {
    const header = request.headers['idempotency-key'];
    if (header === undefined) return null;
    const key = parseIdempotencyKey(header);
    if (key === null) throw new AppError('validation_failed', IDEMPOTENCY_KEY_RULE);
    const path = request.routeOptions.url ?? '';
    return this.parts.idempotency.begin({ accountId, mode, method: request.method, path, key }, request.body);
  }

  private async run(call: Call, what: string, work: (terms: Terms) => Promise<Delivery>): Promise<string> {
    const { request, caller } = call;
    const place = new Place(request, caller, this.parts.admission);
    try {
      const delivery = await work(place);
      const isFree = caller.mode === 'test' || delivery.price.addresses === 0;
      return isFree ? await this.give(call, delivery) : await this.sell(call, `${what}:${newId()}`, delivery, place);
    } finally {
      place.leave();
    }
  }

  /** What costs nothing. */
  private async give({ request, lease }: Call, delivery: Delivery): Promise<string> {
    let given = false;
    try {
      const { text, answer } = toAnswer(delivery);
      if (lease !== null) await this.parts.idempotency.keep(lease, answer);
      setHeaders(request, delivery.headers);
      given = true;
      return text;
    } finally {
      this.conclude(delivery, given);
    }
  }

  /** What is paid, whole or as far as the balance goes. */
  private async sell(call: Call, reference: string, delivery: Delivery, place: Place): Promise<string> {
    const { request, caller, lease } = call;
    let offered = delivery;
    let paid = false;
    try {
      for (let shortenings = 0; ; shortenings++) {
        const { text, answer } = toAnswer(offered);
        const outcome = await this.charge(call, reference, offered, answer);
        if (outcome.kind === 'superseded') throw stillRunning();
        if (outcome.kind === 'withdrawn') {
          // Nobody reads the answer; the next call with its key is a first one.
          if (lease !== null) this.release(lease);
          return text;
        }
        showFunds(request, outcome.funds);
        if (outcome.kind === 'charged') {
          setHeaders(request, { ...offered.headers, 'X-Credits-Used': String(creditsUsed(outcome)) });
          place.left = outcome.funds;
          paid = true;
          return text;
        }
        const shorter = shortenings < MAX_SHORTENINGS ? shortened(delivery, outcome.funds, caller) : null;
        if (shorter === null) throw insufficient(place.missingFor(delivery.price, outcome.funds));
        offered = shorter;
      }
    } finally {
      this.conclude(offered, paid);
    }
  }

  private charge(
    { request, caller, lease }: Call,
    reference: string,
    { price, waiting = [] }: Delivery,
    stored: StoredAnswer,
  ): Promise<ChargeOutcome> {
    const { accountId, keyId, plan } = caller;
    const { freeVerifiesPerMonth } = plan;
    const { socket } = request.raw;
    const answer = lease && { ...lease, ...stored };
    const charge = { accountId, keyId, reference, price, freeVerifiesPerMonth, answer, waiting };
    return this.parts.lane.charge(charge, () => socket.destroyed);
  }

  private conclude({ after }: Delivery, paid: boolean): void {
    try {
      after?.(paid);
    } catch (error) {
      this.parts.onTrouble('what follows a charge failed', error);
    }
  }

  /** In the background: the row may be held by a charge whose outcome is not known yet, and no caller waits for that. */
  private release(lease: Lease): void {
    this.parts.idempotency.release(lease).catch((error: unknown) => {
      this.parts.onTrouble('an idempotency key stays taken until its lease ends', error);
    });
  }
}

/** The place of one call among those of its account. */
class Place implements Terms {
  /** The account's funds after the call's charge. */
  left: Funds | null = null;
  /** Credits of the entries that were not let in. */
  private notAdmitted = 0;
  private admitted: Admitted | null = null;

  constructor(
    private readonly request: FastifyRequest,
    private readonly caller: Caller,
    private readonly admission: Pick<Admission, 'enter'>,
  ) {}

  async canPay(price: Price): Promise<boolean> {
    const { mode, plan } = this.caller;
    if (mode === 'test') return true;
    const { funds } = await fundsOf(this.request);
    return pay(funds, price, plan.freeVerifiesPerMonth).kind === 'paid';
  }

  async admit(price: Price, maxWaitMs: number): Promise<void> {
    await this.enter(price, null, maxWaitMs);
  }

  async admitPrefix(unitPrices: readonly number[], maxWaitMs: number): Promise<number> {
    const price = priceOf(unitPrices);
    const prefix = await this.enter(price, unitPrices, maxWaitMs);
    if (prefix === null) return unitPrices.length;
    this.notAdmitted = price.credits - prefix.price.credits;
    return prefix.entries;
  }

  /** @returns what was let in; null when there is nothing to pay */
  private async enter(price: Price, unitPrices: readonly number[] | null, maxWaitMs: number): Promise<Prefix | null> {
    const { accountId, mode, plan } = this.caller;
    if (mode === 'test' || price.addresses === 0) return null;
    const reading = await fundsOf(this.request);
    const { freeVerifiesPerMonth } = plan;
    // Who asks again gives up what it held: it would wait for itself.
    this.leave();
    const asking = { accountId, price, unitPrices, freeVerifiesPerMonth, reading, maxWaitMs };
    this.admitted = await this.admission.enter(asking);
    if (this.admitted.kind === 'insufficient') throw insufficient(this.admitted.shortfall);
    return this.admitted.prefix;
  }

  /** Credits that are missing for the whole call, what was not let in included. */
  missingFor({ credits }: Price, funds: Funds): number {
    return Math.max(1, credits + this.notAdmitted - creditsOf(funds));
  }

  leave(): void {
    if (this.admitted?.kind === 'admitted') this.admitted.leave(this.left);
  }
}

function toAnswer({ status, body, headers = {} }: Delivery): { readonly text: string; readonly answer: StoredAnswer } {
  const text = JSON.stringify(body);
  const kept = Object.keys(headers).length > 0 ? headers : null;
  return { text, answer: { status, headers: kept, body: Buffer.from(text) } };
}

/** As much of a delivery as can be paid; null: nothing that costs something. */
function shortened({ shorten }: Delivery, funds: Funds, { plan }: Caller): Delivery | null {
  const means = { credits: creditsOf(funds), freeVerifies: freeVerifiesLeft(funds, plan.freeVerifiesPerMonth) };
  const prefix = shorten === undefined ? null : payablePrefix(shorten.unitPrices, means);
  return prefix && shorten!.to(prefix.entries);
}

function replay(request: FastifyRequest, { headers, body }: StoredAnswer): string {
  setHeaders(request, { ...headers, 'Idempotency-Replayed': 'true' });
  return body.toString('utf8');
}

function creditsUsed({ payment }: ChargeOutcome & { kind: 'charged' }): number {
  return payment.purchased + payment.gifted;
}

function setHeaders(request: FastifyRequest, headers: Readonly<Record<string, string>> = {}): void {
  for (const [name, value] of Object.entries(headers)) request.context.responseHeaders.set(name, value);
}

function insufficient(shortfall: number): AppError {
  return new AppError('insufficient_credits', `The balance is too low by ${shortfall}.`, {
    headers: { 'X-Credits-Required': String(shortfall) },
  });
}

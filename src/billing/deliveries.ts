import type { FastifyRequest } from 'fastify';
import { callerOf, type Caller } from '../auth/caller.js';
import { AppError } from '../platform/errors/app-error.js';
import { newId } from '../platform/ids/uuid.js';
import type { Admission, Admitted } from './admission.js';
import type { Charge, ChargeOutcome } from './charge/charge.js';
import type { ChargeLane } from './charge/charge-lane.js';
import { pay, type Funds } from './funds.js';
import { showFunds } from './funds-headers.js';
import { IDEMPOTENCY_KEY_RULE, parseIdempotencyKey } from './idempotency/idempotency-key.js';
import type { Lease, StoredAnswer } from './idempotency/idempotency.repository.js';
import { stillRunning, type IdempotencyService } from './idempotency/idempotency.service.js';
import type { Price } from './price.js';
import { fundsOf } from './request-funds.js';

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
}

export interface DeliveriesParts {
  readonly admission: Pick<Admission, 'enter'>;
  readonly lane: Pick<ChargeLane, 'charge'>;
  readonly idempotency: IdempotencyService;
  readonly onTrouble: (what: string, error: unknown) => void;
}

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
      return await this.run(request, caller, what, work, lease);
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

  private async run(
    request: FastifyRequest,
    caller: Caller,
    what: string,
    work: (terms: Terms) => Promise<Delivery>,
    lease: Lease | null,
  ): Promise<string> {
    const place = new Place(request, caller, this.parts.admission);
    try {
      const { status, body, price, headers = {} } = await work(place);
      const text = JSON.stringify(body);
      const answer = { status, headers: Object.keys(headers).length > 0 ? headers : null, body: Buffer.from(text) };
      if (caller.mode === 'test' || price.addresses === 0) {
        if (lease !== null) await this.parts.idempotency.keep(lease, answer);
      } else {
        place.left = await this.charge(request, caller, `${what}:${newId()}`, price, lease && { ...lease, ...answer });
      }
      setHeaders(request, headers);
      return text;
    } finally {
      place.leave();
    }
  }

  /** @returns the account's funds after it; null when the client was gone before */
  private async charge(
    request: FastifyRequest,
    { accountId, keyId, plan }: Caller,
    reference: string,
    price: Price,
    answer: Charge['answer'],
  ): Promise<Funds | null> {
    const { freeVerifiesPerMonth } = plan;
    const charge = { accountId, keyId, reference, price, freeVerifiesPerMonth, answer };
    const { socket } = request.raw;
    const outcome = await this.parts.lane.charge(charge, () => socket.destroyed);
    if (outcome.kind === 'superseded') throw stillRunning();
    if (outcome.kind === 'withdrawn') {
      // Nobody reads the answer; the next call with its key is a first one.
      if (answer !== null) this.release(answer);
      return null;
    }
    showFunds(request, outcome.funds);
    if (outcome.kind === 'insufficient') throw insufficient(outcome.shortfall);
    setHeaders(request, { 'X-Credits-Used': String(creditsUsed(outcome)) });
    return outcome.funds;
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
    const { accountId, mode, plan } = this.caller;
    if (mode === 'test' || price.addresses === 0) return;
    const reading = await fundsOf(this.request);
    const { freeVerifiesPerMonth } = plan;
    this.admitted = await this.admission.enter({ accountId, price, freeVerifiesPerMonth, reading, maxWaitMs });
    if (this.admitted.kind === 'insufficient') throw insufficient(this.admitted.shortfall);
  }

  leave(): void {
    if (this.admitted?.kind === 'admitted') this.admitted.leave(this.left);
  }
}

function replay(request: FastifyRequest, { headers, body }: StoredAnswer): string {
  setHeaders(request, { ...headers, 'Idempotency-Replayed': 'true' });
  return body.toString('utf8');
}

function creditsUsed({ payment }: ChargeOutcome & { kind: 'charged' }): number {
  return payment.purchased + payment.gifted;
}

function setHeaders(request: FastifyRequest, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) request.context.responseHeaders.set(name, value);
}

function insufficient(shortfall: number): AppError {
  return new AppError('insufficient_credits', `The balance is too low by ${shortfall}.`, {
    headers: { 'X-Credits-Required': String(shortfall) },
  });
}

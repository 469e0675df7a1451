import type { FastifyRequest } from 'fastify';
import { callerOf, type Caller } from '../../auth/caller.js';
import { AppError } from '../../platform/errors/app-error.js';
import { isRepeated } from '../../platform/http/repeated-header.js';
import type { CreditHolds } from '../holds/credit-holds.js';
import { IDEMPOTENCY_KEY_RULE, parseIdempotencyKey } from '../idempotency/idempotency-key.js';
import type { Lease, StoredAnswer } from '../idempotency/idempotency.repository.js';
import type { IdempotencyService, Turn } from '../idempotency/idempotency.service.js';
import { CreditHold } from '../holds/credit-hold.js';

/** A call that runs. */
export interface Call {
  readonly request: FastifyRequest;
  readonly caller: Caller;
  /** Of its `Idempotency-Key`. */
  readonly lease: Lease | null;
}

/** What a call answers. */
export interface Answer {
  /** Of a success. */
  readonly status: number;
  /** JSON. */
  readonly body: unknown;
  /** Headers that belong to the answer, and to every repeat of it. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface IdempotentCallsParts {
  readonly holds: Pick<CreditHolds, 'acquire'>;
  readonly idempotency: Pick<IdempotencyService, 'begin' | 'release'>;
  readonly onTrouble: (what: string, error: unknown) => void;
}

/** Runs calls that cost something, each in its hold among those of its account, and one at a time per `Idempotency-Key`. */
export class IdempotentCalls {
  private underWay = 0;
  private onIdle: (() => void) | null = null;

  constructor(private readonly parts: IdempotentCallsParts) {}

  /** Waits until no call runs. */
  async idle(): Promise<void> {
    if (this.underWay > 0) await new Promise<void>((resolve) => (this.onIdle = resolve));
  }

  /**
   * Runs a call, or answers the repeat of one.
   * @param work answers it with the text of its JSON, its headers being set, and its answer being kept where it has a lease
   * @throws AppError of `work`, `idempotency_conflict`, `validation_failed` for an `Idempotency-Key` that is none
   */
  async run(
    request: FastifyRequest,
    work: (call: Call, hold: CreditHold) => string | Promise<string>,
  ): Promise<string> {
    const caller = callerOf(request);
    if (caller === null) throw new Error('a call without a caller cannot be paid');
    const header = request.headers['idempotency-key'];
    const turn = header === undefined ? null : await this.begin(request, caller, header);
    if (turn?.kind === 'repeat') return replay(request, turn.answer);
    const lease = turn?.lease ?? null;
    const hold = new CreditHold(request, caller, this.parts.holds);
    this.underWay += 1;
    try {
      return await work({ request, caller, lease }, hold);
    } catch (error) {
      if (lease !== null) this.release(lease);
      throw error;
    } finally {
      hold.release();
      this.underWay -= 1;
      if (this.underWay === 0) this.onIdle?.();
    }
  }

  /** In the background: the row may be held by a charge whose outcome is not known yet, and no caller waits for that. */
  release(lease: Lease): void {
    this.parts.idempotency.release(lease).catch((error: unknown) => {
      this.parts.onTrouble('an idempotency key stays taken until its lease ends', error);
    });
  }

  private async begin(request: FastifyRequest, { accountId, mode }: Caller, header: string | string[]): Promise<Turn> {
    const key = isRepeated(request.raw, 'idempotency-key') ? null : parseIdempotencyKey(header);
    if (key === null) throw new AppError('validation_failed', IDEMPOTENCY_KEY_RULE);
    const path = request.routeOptions.url ?? '';
    return this.parts.idempotency.begin({ accountId, mode, method: request.method, path, key }, request.body);
  }
}

/** The answer to a call with an `Idempotency-Key`, as it is kept. @param text what is sent */
export function toKept({ status, headers = {} }: Answer, text: string): StoredAnswer {
  const own = Object.keys(headers).length > 0 ? headers : null;
  return { status, headers: own, body: Buffer.from(text) };
}

export function setHeaders(request: FastifyRequest, headers: Readonly<Record<string, string>> = {}): void {
  for (const [name, value] of Object.entries(headers)) request.context.responseHeaders.set(name, value);
}

function replay(request: FastifyRequest, { headers, body }: StoredAnswer): string {
  setHeaders(request, { ...headers, 'Idempotency-Replayed': 'true' });
  return body.toString('utf8');
}

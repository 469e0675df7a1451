import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { partReference } from '../../billing/references.js';
import { paysForEnhanced } from '../../billing/price.js';
import type { Mode } from '../../engine/verdict/result.js';
import { idFromBytes, idToBytes, newId } from '../../platform/ids/uuid.js';
import { OutboxRepository, type NewDelivery } from '../../webhooks/outbox/outbox.repository.js';
import { takesEvent } from '../../webhooks/outbox/takes-event.js';
import { WebhookDeliveryProducer, type DueEndpoint } from '../../webhooks/outbox/webhook-delivery.queue.js';
import { EndedProbeJudge, type EndedProbe } from './ended-probe-judge.js';
import { statement, type Statement } from '../../platform/database/statement.js';

/** An account whose calls wait on a probe, and who wants to hear of it. */
export interface WaitingAccount {
  readonly probeId: string;
  readonly accountId: string;
  readonly endpointIds: ReadonlySet<string>;
  /** Of the calls. */
  readonly requestIds: ReadonlySet<string>;
  readonly mode: Exclude<Mode, 'quick'>;
  /** References of the refunds that it gets if there is no verdict. */
  readonly refunds: ReadonlySet<string>;
}

interface WaitingRow {
  waits_on: Buffer;
  account_id: Buffer;
  endpoint_id: Buffer;
  reference: string;
  part: string;
  credits: number;
  request_id: string | null;
}

const TYPE = 'verification.completed';
/** Ids in one event, and deliveries in one statement: any number of calls may wait on a probe, and a packet has its size. */
const MAX_REQUEST_IDS = 1000;
const INSERTED_AT_ONCE = 50;
/** Rows of who waits, and refunds, in one statement. A charge has a row for each of its parts and endpoints: at most 1000. */
const READ_AT_ONCE = 10_000;

/** Writes `verification.completed` for the accounts that wait on probes, one event for each, in the transaction that ends the probe. */
@Injectable()
export class VerificationEventsRepository {
  constructor(
    private readonly outbox: OutboxRepository,
    private readonly queueProducer: WebhookDeliveryProducer,
    private readonly judge: EndedProbeJudge,
  ) {}

  /**
   * The statement that reads the accounts, by probe and charge; most probes have none.
   * @param after reference of the last charge of the page before, of one probe
   */
  waiting(probeIds: readonly string[], after = ''): Statement {
    return statement`
      SELECT STRAIGHT_JOIN w.waits_on, l.account_id, e.id AS endpoint_id, w.reference, w.part, w.credits, w.request_id
        FROM waiting_charges w FORCE INDEX (PRIMARY)
        JOIN ledger_entries l ON l.reference = w.reference
        JOIN webhook_endpoints e ON e.account_id = l.account_id AND e.mode = 'live' AND ${takesEvent(TYPE)}
        WHERE w.waits_on IN (${probeIds.map(idToBytes)}) AND w.reference > ${after}
          ORDER BY w.waits_on, w.reference LIMIT ${READ_AT_ONCE}`;
  }

  /**
   * @param rows the answer to `waiting`
   * @param references of the charges that are settled
   * @returns null: there may be more
   */
  toAccounts(rows: unknown, references: ReadonlySet<string>): readonly WaitingAccount[] | null {
    const page = rows as readonly WaitingRow[];
    if (page.length >= READ_AT_ONCE) return null;
    const accounts = new Map<string, MutableAccount>();
    note(accounts, page, references);
    return [...accounts.values()];
  }

  /** Accounts that wait on a probe, for transactions that end one. */
  async waitingWithin(
    transaction: EntityManager,
    probeId: string,
    references: ReadonlySet<string>,
  ): Promise<readonly WaitingAccount[]> {
    const accounts = new Map<string, MutableAccount>();
    for (let after = ''; ;) {
      const page = await this.waiting([probeId], after).run<WaitingRow[]>(transaction);
      const isLast = page.length < READ_AT_ONCE;
      const last = page.at(-1)?.reference;
      // The last charge may have more rows.
      const whole = isLast ? page : page.filter(({ reference }) => reference !== last);
      note(accounts, whole, references);
      if (isLast) return [...accounts.values()];
      after = whole.at(-1)!.reference;
    }
  }

  /** Deliveries of probes with a verdict. */
  async completed(
    accounts: readonly WaitingAccount[],
    probeOf: (account: WaitingAccount) => EndedProbe,
  ): Promise<NewDelivery[]> {
    const deliveries = accounts.map(async (account) => {
      const result = await this.judge.judge(probeOf(account), account.mode);
      return toDeliveries(account, { email: result.email, result, error: null, refund: null });
    });
    return (await Promise.all(deliveries)).flat();
  }

  async writeCompletedWithin(
    transaction: EntityManager,
    accounts: readonly WaitingAccount[],
    probe: EndedProbe,
  ): Promise<void> {
    if (accounts.length > 0) await this.insert(transaction, await this.completed(accounts, () => probe));
  }

  /**
   * Of a probe without a verdict, after its charges were refunded in the same transaction.
   * @param email null: it cannot be read any more
   */
  async writeUnavailableWithin(
    transaction: EntityManager,
    accounts: readonly WaitingAccount[],
    email: string | null,
  ): Promise<void> {
    if (accounts.length === 0) return;
    const deliveries: NewDelivery[] = [];
    for (const account of accounts) {
      const refund = await refundOf(transaction, [...account.refunds]);
      deliveries.push(...toDeliveries(account, { email, result: null, error: 'verify_unavailable', refund }));
    }
    await this.insert(transaction, deliveries);
  }

  insertion(deliveries: readonly NewDelivery[]): Statement {
    return this.outbox.insertion(deliveries);
  }

  /** After the commit. */
  queue(due: readonly DueEndpoint[]): void {
    this.queueProducer.queueEndpoints(due);
  }

  private async insert(transaction: EntityManager, deliveries: readonly NewDelivery[]): Promise<void> {
    for (let from = 0; from < deliveries.length; from += INSERTED_AT_ONCE) {
      await this.insertion(deliveries.slice(from, from + INSERTED_AT_ONCE)).run(transaction);
    }
  }
}

/** Endpoints to queue after the commit. */
export function endpointsOf(accounts: readonly WaitingAccount[]): DueEndpoint[] {
  return accounts.flatMap(({ accountId, endpointIds }) =>
    [...endpointIds].map((endpointId) => ({ endpointId, accountId })),
  );
}

interface MutableAccount extends WaitingAccount {
  readonly endpointIds: Set<string>;
  readonly requestIds: Set<string>;
  mode: WaitingAccount['mode'];
  readonly refunds: Set<string>;
}

/** Notes the accounts of charges that are settled. */
function note(
  accounts: Map<string, MutableAccount>,
  rows: readonly WaitingRow[],
  references: ReadonlySet<string>,
): void {
  for (const { waits_on, account_id, endpoint_id, reference, part, credits, request_id } of rows) {
    if (!references.has(reference)) continue;
    const key = `${waits_on.toString('hex')} ${account_id.toString('hex')}`;
    const account = accounts.get(key) ?? newAccount(idFromBytes(waits_on), idFromBytes(account_id));
    accounts.set(key, account);
    account.endpointIds.add(idFromBytes(endpoint_id));
    if (request_id !== null && account.requestIds.size < MAX_REQUEST_IDS) account.requestIds.add(request_id);
    if (paysForEnhanced(credits)) account.mode = 'enhanced';
    account.refunds.add(partReference({ reference }, part));
  }
}

function newAccount(probeId: string, accountId: string): MutableAccount {
  const sets = { endpointIds: new Set<string>(), requestIds: new Set<string>(), refunds: new Set<string>() };
  return { probeId, accountId, mode: 'standard', ...sets };
}

async function refundOf(
  transaction: EntityManager,
  references: readonly string[],
): Promise<{ readonly credits: number; readonly free_verifies: number }> {
  const refund = { credits: 0, free_verifies: 0 };
  for (let from = 0; from < references.length; from += READ_AT_ONCE) {
    const [sum] = await transaction.sql<{ credits: string | null; free: string | null }[]>`
      SELECT SUM(purchased + gifted) AS credits, SUM(free_verifies) AS free FROM ledger_entries
        WHERE reference IN (${references.slice(from, from + READ_AT_ONCE)})`;
    refund.credits += Number(sum!.credits);
    refund.free_verifies += Number(sum!.free);
  }
  return refund;
}

function toDeliveries({ accountId, endpointIds, requestIds }: WaitingAccount, ending: object): NewDelivery[] {
  const data = { request_ids: [...requestIds], ...ending };
  return [...endpointIds].map((endpointId) => ({ id: newId(), endpointId, accountId, type: TYPE, data }));
}

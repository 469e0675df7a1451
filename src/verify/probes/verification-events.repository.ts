import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { partReference } from '../../billing/references.js';
import { paysForEnhanced } from '../../billing/price.js';
import type { Mode } from '../../engine/verdict/result.js';
import { groupBy } from '../../platform/collections/group-by.js';
import type { Statement } from '../../platform/database/packet-connection.js';
import { idFromBytes, idToBytes, newId } from '../../platform/ids/uuid.js';
import { OutboxRepository, type NewDelivery } from '../../webhooks/outbox/outbox.repository.js';
import { TAKES_EVENT } from '../../webhooks/outbox/takes-event.js';
import { WebhookDeliveryProducer, type DueEndpoint } from '../../webhooks/outbox/webhook-delivery.queue.js';
import { EndedProbeJudge, type EndedProbe } from './ended-probe-judge.js';

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

/** Writes `verification.completed` for the accounts that wait on probes, one event for each, in the transaction that ends the probe. */
@Injectable()
export class VerificationEventsRepository {
  constructor(
    private readonly outbox: OutboxRepository,
    private readonly queueProducer: WebhookDeliveryProducer,
    private readonly judge: EndedProbeJudge,
  ) {}

  /** The statement that reads the accounts; most probes have none. */
  waiting(probeIds: readonly string[]): Required<Statement> {
    return {
      sql: `SELECT w.waits_on, l.account_id, e.id AS endpoint_id, w.reference, w.part, w.credits, w.request_id
        FROM waiting_charges w FORCE INDEX (PRIMARY)
        JOIN ledger_entries l ON l.reference = w.reference
        JOIN webhook_endpoints e ON e.account_id = l.account_id AND e.mode = 'live' AND ${TAKES_EVENT}
        WHERE w.waits_on IN (?)`,
      values: [TYPE, probeIds.map(idToBytes)],
    };
  }

  /**
   * @param rows the answer to `waiting`
   * @param references of the charges that are settled
   */
  toAccounts(rows: unknown, references: ReadonlySet<string>): readonly WaitingAccount[] {
    const settled = (rows as readonly WaitingRow[]).filter(({ reference }) => references.has(reference));
    const byAccount = groupBy(settled, (row) => `${row.waits_on.toString('hex')} ${row.account_id.toString('hex')}`);
    return [...byAccount.values()].map(toAccount);
  }

  /** Accounts that wait on a probe, for transactions that end one. */
  async waitingWithin(
    transaction: EntityManager,
    probeId: string,
    references: ReadonlySet<string>,
  ): Promise<readonly WaitingAccount[]> {
    const { sql, values } = this.waiting([probeId]);
    return this.toAccounts(await transaction.query(sql, [...values]), references);
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
      const [sum] = await transaction.query<{ credits: string | null; free: string | null }[]>(
        'SELECT SUM(purchased + gifted) AS credits, SUM(free_verifies) AS free FROM ledger_entries WHERE reference IN (?)',
        [[...account.refunds]],
      );
      const refund = { credits: Number(sum!.credits), free_verifies: Number(sum!.free) };
      deliveries.push(...toDeliveries(account, { email, result: null, error: 'verify_unavailable', refund }));
    }
    await this.insert(transaction, deliveries);
  }

  insertion(deliveries: readonly NewDelivery[]): Required<Statement> {
    return this.outbox.insertion(deliveries);
  }

  /** After the commit. */
  queue(due: readonly DueEndpoint[]): void {
    this.queueProducer.queueEndpoints(due);
  }

  private async insert(transaction: EntityManager, deliveries: readonly NewDelivery[]): Promise<void> {
    for (let from = 0; from < deliveries.length; from += INSERTED_AT_ONCE) {
      const { sql, values } = this.insertion(deliveries.slice(from, from + INSERTED_AT_ONCE));
      await transaction.query(sql, [...values]);
    }
  }
}

/** Endpoints to queue after the commit. */
export function endpointsOf(accounts: readonly WaitingAccount[]): DueEndpoint[] {
  return accounts.flatMap(({ accountId, endpointIds }) =>
    [...endpointIds].map((endpointId) => ({ endpointId, accountId })),
  );
}

function toAccount(rows: readonly WaitingRow[]): WaitingAccount {
  const [{ waits_on, account_id }] = rows as [WaitingRow];
  return {
    probeId: idFromBytes(waits_on),
    accountId: idFromBytes(account_id),
    endpointIds: new Set(rows.map(({ endpoint_id }) => idFromBytes(endpoint_id))),
    requestIds: new Set(rows.flatMap(({ request_id }) => request_id ?? [])),
    mode: rows.some(({ credits }) => paysForEnhanced(credits)) ? 'enhanced' : 'standard',
    refunds: new Set(rows.map(({ reference, part }) => partReference({ reference }, part))),
  };
}

function toDeliveries({ accountId, endpointIds, requestIds }: WaitingAccount, ending: object): NewDelivery[] {
  const data = { request_ids: [...requestIds].slice(0, MAX_REQUEST_IDS), ...ending };
  return [...endpointIds].map((endpointId) => ({ id: newId(), endpointId, accountId, type: TYPE, data }));
}

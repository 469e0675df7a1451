import type { OnApplicationShutdown } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { isConnectionLost, isDuplicateKey, isLockConflict } from '../../platform/database/database-errors.js';
import { CommitUnknown } from '../../platform/database/retried-transaction.js';
import { serviceUnavailable } from '../../platform/errors/service-unavailable.js';
import { atEndOfTurn } from '../../platform/scheduling/end-of-turn.js';
import { NotCharged, type AttemptOutcome, type Charge, type ChargeAttempt, type ChargeOutcome } from './charge.js';
import { attemptOf, halves, isOfOneAccount, type ChargeMember } from './charge-member.js';
import { ChargeQueue } from './charge-queue.js';

/** Commits charges: a `ChargeRepository`. */
export interface ChargeStore {
  charge(attempts: readonly ChargeAttempt[]): Promise<AttemptOutcome[]>;
  addMissingBalances(accountIds: readonly string[]): Promise<void>;
  /** Closes its connection. */
  close(): void;
}

export interface ChargeBatcherOptions {
  /** Skips locked accounts. */
  readonly fast: ChargeStore;
  /** Waits briefly for locked accounts; on a connection of its own. */
  readonly slow: ChargeStore;
  /** Reports problems to the operator, without secrets. */
  readonly onTrouble: (what: string, error: unknown) => void;
  /** Milliseconds after which a waiting charge fails with `service_unavailable`. */
  readonly maxWaitMs?: number;
}

const MAX_GROUP = 256;
/** Stored answers are large; the server accepts packets of 16 MiB, and octets are written as hex. */
const MAX_GROUP_OCTETS = 4 * 1024 * 1024;
/** Weight of a waiting part's row: it costs server time rather than octets, and groups must stay short. */
const WAITING_PART_OCTETS = 1024;
const MAX_WAITING = 10_000;
const MAX_WAIT_MS = 10_000;
/** Attempts on the fast group commit: another process locks an account only for the milliseconds of a commit. */
const MAX_PASSED_OVER = 3;
/** Lost connections before the charge fails: an idle connection may just have timed out. */
const MAX_LOST = 2;
/** How long to retry the refund of a charge whose caller was told that it failed. */
const UNDO_FOR_MS = 15 * 60_000;
const LONGEST_PAUSE_MS = 2000;

interface GroupCommit {
  readonly queue: ChargeQueue<ChargeMember>;
  readonly store: ChargeStore;
  running: Promise<void> | null;
  /** Milliseconds to pause before the next transaction, after losing the database. */
  pauseMs: number;
}

/**
 * Commits charges in groups (group commit, decisions 4.8): one transaction runs at a time, and all charges that queue
 * meanwhile go into the next. docs/billing.md explains why this is safe. No `WriteBatcher`: accounts take turns, locked
 * ones are passed over, and charges of unknown outcome are tried again or refunded.
 */
export class ChargeBatcher implements OnApplicationShutdown {
  private readonly fast: GroupCommit;
  private readonly slow: GroupCommit;
  private readonly closing = new AbortController();

  constructor(private readonly options: ChargeBatcherOptions) {
    this.fast = { queue: new ChargeQueue(), store: options.fast, running: null, pauseMs: 0 };
    this.slow = { queue: new ChargeQueue(), store: options.slow, running: null, pauseMs: 0 };
  }

  /**
   * Charges one call; committed when this resolves.
   * @param isGone checked just before the charge: true if the client has disconnected
   * @param giveUpAfterMs the charge then fails, even while it runs; without it there is no limit of the caller's
   * @throws AppError `service_unavailable` if the database is too slow: the call is not charged (`NotCharged` is the
   *   cause where that is certain), or refunded
   */
  charge(charge: Charge, isGone: () => boolean, giveUpAfterMs?: number): Promise<ChargeOutcome> {
    if (this.fast.queue.size + this.slow.queue.size >= MAX_WAITING) {
      return Promise.reject(serviceUnavailable(new NotCharged('too many charges are waiting')));
    }
    const { accountId, answer, waiting = [] } = charge;
    let timer: NodeJS.Timeout | undefined;
    const outcome = new Promise<ChargeOutcome>((resolve, reject) => {
      const member: ChargeMember = {
        accountId,
        weight: (answer?.body.length ?? 0) + waiting.length * WAITING_PART_OCTETS,
        charge,
        isGone: () => member.abandoned || isGone(),
        resolve,
        reject,
        since: performance.now(),
        mayStand: false,
        undo: false,
        abandoned: false,
        passedOver: 0,
        balanceAdded: false,
        lost: 0,
      };
      if (giveUpAfterMs !== undefined) timer = setTimeout(abandon, giveUpAfterMs, member);
      this.enter(this.fast, member);
    });
    return timer === undefined ? outcome : outcome.finally(() => clearTimeout(timer));
  }

  /** Waits for running and queued charges, at shutdown. Charges that the database does not accept now fail. */
  async close(): Promise<void> {
    this.closing.abort();
    while (this.fast.running !== null || this.slow.running !== null) {
      await this.fast.running;
      await this.slow.running;
    }
    this.fast.store.close();
    this.slow.store.close();
  }

  /** Runs after the HTTP server has closed: no more charges arrive. */
  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  private enter(commits: GroupCommit, member: ChargeMember): void {
    commits.queue.add(member);
    this.start(commits);
  }

  private start(commits: GroupCommit): void {
    if (commits.running !== null || commits.queue.size === 0) return;
    commits.running = this.run(commits).finally(() => {
      commits.running = null;
      // Serve charges that arrived after the last look at the queue.
      this.start(commits);
    });
  }

  private async run(commits: GroupCommit): Promise<void> {
    // Let charges of the same turn of the event loop join the batch.
    await new Promise<void>(atEndOfTurn);
    while (commits.queue.size > 0) {
      const members = commits.queue.take(MAX_GROUP, MAX_GROUP_OCTETS).filter((member) => this.isDue(member));
      if (members.length > 0) await this.settle(commits, members);
      if (commits.pauseMs > 0) await this.pause(commits.pauseMs);
    }
  }

  /** Drops members that have expired or whose client has disconnected. */
  private isDue(member: ChargeMember): boolean {
    const waited = performance.now() - member.since;
    if (member.undo) {
      if (waited <= UNDO_FOR_MS) return true;
      this.giveUp(member);
      return false;
    }
    if (waited > (this.options.maxWaitMs ?? MAX_WAIT_MS)) {
      this.fail(member, new Error('the charge waited too long'));
      return false;
    }
    if (!member.mayStand && member.isGone()) {
      member.resolve({ kind: 'withdrawn' });
      return false;
    }
    return true;
  }

  private async settle(commits: GroupCommit, members: readonly ChargeMember[]): Promise<void> {
    let outcomes: AttemptOutcome[];
    try {
      outcomes = await commits.store.charge(members.map(attemptOf));
    } catch (error) {
      await this.recover(commits, members, error);
      return;
    }
    commits.pauseMs = 0;
    const held: ChargeMember[] = [];
    members.forEach((member, i) => {
      const outcome = outcomes[i];
      if (outcome === undefined || outcome.kind === 'held') held.push(member);
      else this.settleOne(member, outcome);
    });
    if (held.length === 0) return;
    if (commits === this.fast) this.passOver(held);
    else await this.addMissingBalances(held);
  }

  private settleOne(member: ChargeMember, outcome: ChargeOutcome): void {
    if (member.abandoned && outcome.kind === 'charged') {
      member.mayStand = true;
      this.undo(member);
    } else {
      member.resolve(outcome);
    }
  }

  private passOver(held: readonly ChargeMember[]): void {
    for (const member of held) {
      member.passedOver++;
      this.enter(member.passedOver < MAX_PASSED_OVER ? this.fast : this.slow, member);
    }
  }

  /**
   * The slow group commit waits for locks, so an account it still reports as held has no balance row. If it is missing
   * again after the insert, the account is deleted.
   */
  private async addMissingBalances(held: readonly ChargeMember[]): Promise<void> {
    const members = held.filter(({ balanceAdded }) => !balanceAdded);
    for (const member of held)
      if (member.balanceAdded) member.reject(serviceUnavailable(new NotCharged('no such account')));
    if (members.length === 0) return;
    try {
      await this.slow.store.addMissingBalances([...new Set(members.map(({ accountId }) => accountId))]);
      for (const member of members) {
        member.balanceAdded = true;
        this.enter(this.slow, member);
      }
    } catch (error) {
      for (const member of members) {
        if (isConnectionLost(error)) this.lose(member, error);
        else member.reject(error);
      }
    }
  }

  /** Handles a failed transaction: rolled back, or with an unknown outcome. */
  private async recover(commits: GroupCommit, members: readonly ChargeMember[], error: unknown): Promise<void> {
    const unknown = error instanceof CommitUnknown;
    if (unknown || isConnectionLost(error)) {
      if (commits === this.slow) commits.pauseMs = Math.min(commits.pauseMs * 2 || 50, LONGEST_PAUSE_MS);
      for (const member of members) {
        member.mayStand ||= unknown;
        this.lose(member, error);
      }
    } else if (isLockConflict(error) && isOfOneAccount(members)) {
      for (const member of members) this.enter(this.slow, member);
    } else if (members.length > 1) {
      // One member caused the error: split the group so that the others succeed.
      for (const half of halves(members)) await this.settle(commits, half);
    } else {
      await this.recoverOne(commits, members[0]!, error);
    }
  }

  private async recoverOne(commits: GroupCommit, member: ChargeMember, error: unknown): Promise<void> {
    if (isDuplicateKey(error) && !member.mayStand) {
      member.mayStand = true;
      await this.settle(commits, [member]);
    } else if (member.undo) {
      this.giveUp(member, error);
    } else {
      member.reject(error);
    }
  }

  /** Retries or fails a member whose transaction lost the database. */
  private lose(member: ChargeMember, error: unknown): void {
    member.lost++;
    const lastTry = this.closing.signal.aborted && member.lost >= MAX_LOST;
    if (member.mayStand && !lastTry) this.enter(this.slow, member);
    else if (member.lost < MAX_LOST) this.enter(this.fast, member);
    else if (member.undo) this.giveUp(member, error);
    else this.fail(member, error);
  }

  /** Fails the charge for its caller. If it may have committed, refunds it once the database is back. */
  private fail(member: ChargeMember, cause: unknown): void {
    member.reject(serviceUnavailable(member.mayStand ? cause : new NotCharged('nothing was charged', { cause })));
    if (member.mayStand) this.undo(member);
  }

  /** Queues a refund. A charge with a stored answer stands: the client can fetch the answer under its key. */
  private undo(member: ChargeMember): void {
    if (member.charge.answer !== null) return;
    member.undo = true;
    this.enter(this.slow, member);
  }

  private giveUp(member: ChargeMember, error: unknown = null): void {
    this.options.onTrouble(`a charge that may be committed could not be refunded: ${member.charge.reference}`, error);
  }

  private async pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.closing.signal }).catch(() => undefined);
  }
}

function abandon(member: ChargeMember): void {
  member.abandoned = true;
  member.reject(serviceUnavailable(new Error('the charge was not committed in time')));
}

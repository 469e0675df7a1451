import type { Trace } from '../../trace.js';
import type { HostConnection } from '../connect-host.js';
import { sentRecipients } from '../dialogue.js';
import { HostDialer } from '../host-dialer.js';
import type { Note } from '../note.js';
import type { PolitenessAnswer } from '../politeness.js';
import { BulkSession } from './bulk-session.js';
import { Candidate } from './candidate.js';
import { RcptBatchSettlement } from './rcpt-batch-settlement.js';
import type { Envelope, RcptBatch, HostQueue } from './host-queue.js';
import type { SessionCount } from './host-traits.js';
import { SessionsPermit } from '../sessions-permit.js';
import { nextEnvelope, takenIn } from './next-envelope.js';
import { PermitRequests, type PermitRequestsSetting } from './permit-requests.js';
import type { RecipientScheduler } from './recipient-scheduler.js';

/** Longest wait for the host to hang up after QUIT. */
const QUIT_WAIT_MS = 1_000;
type NotGranted = Exclude<PolitenessAnswer, { kind: 'granted' }>;
/** The counts of a new session. */
const NOTHING_YET: SessionCount = { answered: 0, errors: 0, transactions: 0 };

export interface BulkConnectionSetting extends PermitRequestsSetting {
  readonly scheduler: RecipientScheduler;
  readonly trace: Trace | undefined;
  readonly note: Note;
  /** True when another connection holds a permit for the group. */
  isHeld(group: string): boolean;
  /** Called after each step: there may be work for more connections, or none left for those that wait for a permit. */
  onProgress(): void;
}

/** A worker that opens one connection at a time, to any host with work: session after session, each of many batches. */
export class BulkConnection {
  private queue: HostQueue | null = null;
  private session: BulkSession | null = null;
  /** Covers the connection and the recipients of its first batch. */
  private permit: SessionsPermit | null = null;
  private othersWait = false;
  private readonly permits: PermitRequests;
  private readonly dialer: HostDialer;
  private readonly settlement: RcptBatchSettlement;

  constructor(private readonly setting: BulkConnectionSetting) {
    this.permits = new PermitRequests(setting);
    this.dialer = new HostDialer(setting);
    this.settlement = new RcptBatchSettlement(setting.scheduler, setting.tools.classify);
  }

  holds(group: string): boolean {
    return this.permit?.group === group;
  }

  /** Runs until there is no work left. Always closes the connection and releases the permit. */
  async run(): Promise<void> {
    try {
      while (!this.setting.scheduler.over && (await this.takeStep())) this.setting.onProgress();
    } finally {
      this.session?.close();
      this.session = null;
      this.leaveQueue();
      this.releasePermit();
    }
  }

  /** Cancels the wait for a permit, if any: no work needs it any more. */
  stopWaiting(): void {
    this.permits.cancel();
  }

  private async takeStep(): Promise<boolean> {
    if (this.session !== null && this.queue !== null) {
      await this.askNextBatch(this.session, this.queue);
      return true;
    }
    const chosen = this.chooseHost();
    if (chosen !== null) return this.start(chosen.queue, chosen.envelope);
    if (this.permit === null) return false;
    // It was kept for another host of its group, and no host there has work.
    this.releasePermit();
    return true;
  }

  /** Finds a host with work: for the group and domain of the permit it holds, or for any without one. */
  private chooseHost(): { readonly queue: HostQueue; readonly envelope: Envelope } | null {
    const { permit } = this;
    const { scheduler } = this.setting;
    for (const queue of scheduler.hosts) {
      if (
        permit === null
          ? !scheduler.hosts.wantsConnection(queue)
          : queue.group !== permit.group || queue.connections >= queue.wantedConnections
      )
        continue;
      const envelope = queue.next({ fresh: true, open: null, domain: permit?.domain ?? null });
      if (envelope !== null) return { queue, envelope };
    }
    return null;
  }

  /** @returns false when this worker should end */
  private async start(queue: HostQueue, envelope: Envelope): Promise<boolean> {
    const { scheduler } = this.setting;
    if (scheduler.hosts.isOffLimits(queue, envelope.domain)) {
      scheduler.dropOffLimits(queue, envelope.domain);
      return true;
    }
    this.queue = queue;
    queue.connections += 1;
    if (this.permit === null) {
      const answer = await this.permits.forConnection(queue, envelope, this.recipientsFor(queue, envelope));
      if (answer?.kind !== 'granted') {
        this.leaveQueue();
        return answer === null || this.notGranted(answer, queue, envelope);
      }
      this.permit = new SessionsPermit(queue.group, envelope.domain, answer);
    }
    // Traits may have grown while it waited for the permit.
    const size = Math.min(queue.traits.batchSize(NOTHING_YET), this.permit.recipients);
    const batch = this.take(queue, envelope, size, true);
    if (batch.recipients.length === 0) await this.endSession();
    else await this.open(queue, batch, this.permit);
    return true;
  }

  private notGranted(answer: NotGranted, queue: HostQueue, { domain }: Envelope): boolean {
    const { scheduler, deadline } = this.setting;
    if (answer.kind === 'backed_off') {
      scheduler.backOff(queue.group, domain);
      return true;
    }
    if (deadline.expired) return false;
    // Other connections to the group do the work.
    if (this.setting.isHeld(queue.group)) scheduler.hosts.groups.crowd(queue.group);
    else scheduler.markGroupFull(queue.group, answer.pace?.waitMs);
    return true;
  }

  /** How many a new connection is to ask about first. */
  private recipientsFor(queue: HostQueue, envelope: Envelope): number {
    const random = this.setting.scheduler.randoms.at(queue, envelope.domain)?.isDue === true ? 1 : 0;
    return Math.min(queue.traits.batchSize(NOTHING_YET), queue.waitingFor(envelope) + random);
  }

  private async open(queue: HostQueue, batch: RcptBatch, permit: SessionsPermit): Promise<void> {
    this.othersWait = batch.recipients.some((recipient) => recipient instanceof Candidate && recipient.othersWait);
    const connection = await this.dialer.connect(queue.host, batch.domain, this.othersWait);
    if (connection.kind === 'failed') {
      this.notConnected(queue, batch, permit, connection);
      await this.endSession();
      return;
    }
    queue.connectedAt(connection.address);
    const { host, provider } = queue;
    const { session, context } = this.dialer.beginSession(connection.socket, host, provider, () => this.othersWait);
    const bulk = new BulkSession(session, context, queue.traits.sessionOptions, this.setting.note);
    this.session = bulk;
    queue.traits.greeted(await session.greet());
    await this.askAbout(bulk, queue, this.keepSome(queue, batch, queue.traits.batchSize(NOTHING_YET)), permit);
  }

  private notConnected(
    queue: HostQueue,
    batch: RcptBatch,
    permit: SessionsPermit,
    { theirs, ours }: HostConnection & { kind: 'failed' },
  ): void {
    const { scheduler, egress } = this.setting;
    if (scheduler.hosts.isOffLimits(queue, batch.domain)) {
      queue.requeue(batch.recipients);
      scheduler.dropOffLimits(queue, batch.domain);
    } else if (ours !== null) {
      const why = `our egress ${egress.id} failed: ${ours}`;
      // A missing route may concern this host alone; a failing proxy or source address concerns every host.
      queue.requeue(batch.recipients);
      scheduler.recordFault(queue, why, ours !== 'unreachable');
    } else if (theirs) {
      this.settlement.notConnected(queue, batch, permit);
    } else {
      queue.requeue(batch.recipients);
    }
  }

  /** Asks the next batch of an open session, or ends the session. */
  private async askNextBatch(session: BulkSession, queue: HostQueue): Promise<void> {
    const { scheduler } = this.setting;
    const envelope = nextEnvelope(session, queue);
    const size = Math.min(
      queue.traits.batchSize(session.count),
      queue.traits.transactionRoom(takenIn(session, envelope)),
    );
    if (envelope === null || size === 0) return this.endSession();
    if (scheduler.hosts.isOffLimits(queue, envelope.domain)) return scheduler.dropOffLimits(queue, envelope.domain);
    const { permit: own } = this;
    if (own?.domain === envelope.domain && own.unused > 0) {
      return this.askAbout(session, queue, this.take(queue, envelope, Math.min(size, own.unused), false), own);
    }
    let batch = this.take(queue, envelope, size, false);
    let answer = await this.permits.forBatch(queue, envelope, batch.recipients.length);
    if (answer.kind === 'full' && answer.pace !== undefined && answer.pace.recipients > 0) {
      batch = this.keepSome(queue, batch, answer.pace.recipients);
      answer = await this.permits.forBatch(queue, envelope, batch.recipients.length);
    }
    if (answer.kind !== 'granted') {
      scheduler.requeue(queue, batch.recipients);
      if (answer.kind === 'backed_off') scheduler.backOff(queue.group, envelope.domain);
      else await this.endSession();
      return;
    }
    const permit = new SessionsPermit(queue.group, envelope.domain, answer);
    batch = this.keepSome(queue, batch, permit.recipients);
    try {
      await this.askAbout(session, queue, batch, permit);
    } finally {
      if (this.permit === null) permit.release();
      else permit.releaseInto(this.permit);
    }
  }

  private take(queue: HostQueue, envelope: Envelope, size: number, fresh: boolean): RcptBatch {
    return queue.take(envelope, { fresh, size, random: this.setting.scheduler.randoms.at(queue, envelope.domain) });
  }

  /** Puts all but the first few recipients of a batch back. */
  private keepSome(queue: HostQueue, batch: RcptBatch, count: number): RcptBatch {
    if (batch.recipients.length <= count) return batch;
    this.setting.scheduler.requeue(queue, batch.recipients.slice(count));
    return { ...batch, recipients: batch.recipients.slice(0, count) };
  }

  private async askAbout(
    session: BulkSession,
    queue: HostQueue,
    batch: RcptBatch,
    permit: SessionsPermit,
  ): Promise<void> {
    this.othersWait = batch.recipients.some((recipient) => recipient instanceof Candidate && recipient.othersWait);
    const report = await session.ask(batch);
    if (sentRecipients(report)) permit.countAsked(batch.recipients.length);
    this.settlement.settle({ queue, session, batch, report, permit });
    await this.setting.scheduler.witnesses.seek(queue, batch.domain, permit);
    if (session.over) await this.endSession();
  }

  /**
   * Closes the session before another one is opened: with QUIT, waiting for the hang-up, where the host has more work.
   * A permit that met only refusals of us is kept for another host of the same group.
   */
  private async endSession(): Promise<void> {
    const { session, queue } = this;
    this.session = null;
    if (session?.responsive === true && queue !== null && queue.waiting > 0 && queue.traits.answersQuit) {
      queue.traits.answersQuit = await session.quit(QUIT_WAIT_MS);
    } else {
      session?.close();
    }
    this.leaveQueue();
    if (this.permit?.refused !== true) this.releasePermit();
  }

  private leaveQueue(): void {
    if (this.queue === null) return;
    this.queue.connections -= 1;
    this.queue = null;
  }

  private releasePermit(): void {
    if (this.permit === null) return;
    this.permit.release();
    this.setting.scheduler.hosts.groups.clear(this.permit.group);
    this.permit = null;
  }
}

import type { Deadline } from '../../deadline.js';
import type { Trace } from '../../trace.js';
import { beginSession } from '../begin-session.js';
import { connectToHost, type HostConnection } from '../connect-host.js';
import type { Egress } from '../egress.js';
import type { Note } from '../note.js';
import { mayConnect } from '../off-limits.js';
import type { PolitenessAnswer, PolitenessRequest } from '../politeness.js';
import type { ProbeTools } from '../probe-tools.js';
import type { SmtpStage } from '../reply.js';
import { stepBudgetMs, stepLimitMs } from '../step-budget.js';
import { BulkSession } from './bulk-session.js';
import { Candidate } from './candidate.js';
import { RcptBatchSettlement } from './rcpt-batch-settlement.js';
import type { Envelope, RcptBatch, HostQueue } from './host-queue.js';
import type { SessionCount } from './host-traits.js';
import { ConnectionPermit } from './connection-permit.js';
import { nextEnvelope, takenIn } from './next-envelope.js';
import type { RecipientScheduler } from './recipient-scheduler.js';

/** Longest wait for the host to hang up after QUIT. */
const FAREWELL_MS = 1_000;
/** The counts of a new session. */
const NOTHING_YET: SessionCount = { answered: 0, errors: 0, transactions: 0 };

export interface BulkConnectionSetting {
  readonly tools: ProbeTools;
  readonly egress: Egress;
  readonly deadline: Deadline;
  readonly patienceMs: number | undefined;
  readonly requester: string | undefined;
  readonly searches: RecipientScheduler;
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
  private permit: ConnectionPermit | null = null;
  private waiting: Deadline | null = null;
  private dismissed = false;
  private othersWait = false;
  private readonly settlement: RcptBatchSettlement;

  constructor(private readonly setting: BulkConnectionSetting) {
    this.settlement = new RcptBatchSettlement(setting.searches, setting.tools.classify);
  }

  holds(group: string): boolean {
    return this.permit?.group === group;
  }

  /** Runs until there is no work left. Always closes the connection and releases the permit. */
  async run(): Promise<void> {
    try {
      while (!this.setting.searches.over && (await this.takeTurn())) this.setting.onProgress();
    } finally {
      this.session?.close();
      this.session = null;
      this.leaveDesk();
      this.giveLeaveBack();
    }
  }

  /** Cancels the wait for a permit, if any: no work needs it any more. */
  stopWaiting(): void {
    if (this.waiting === null) return;
    this.dismissed = true;
    this.waiting.cancel();
  }

  private async takeTurn(): Promise<boolean> {
    if (this.session !== null && this.queue !== null) {
      await this.goOn(this.session, this.queue);
      return true;
    }
    const aim = this.aim();
    if (aim !== null) return this.start(aim.desk, aim.envelope);
    if (this.permit === null) return false;
    // It was kept for another host of its group, and no host there has work.
    this.giveLeaveBack();
    return true;
  }

  /** Finds a host with work: for the group and domain of the permit it holds, or for any without one. */
  private aim(): { readonly desk: HostQueue; readonly envelope: Envelope } | null {
    const { permit: leave } = this;
    const { searches } = this.setting;
    for (const desk of searches.hosts) {
      if (
        leave === null
          ? !searches.wantsConnection(desk)
          : desk.group !== leave.group || desk.connections >= desk.wantedConnections
      )
        continue;
      const envelope = desk.next({ fresh: true, open: null, domain: leave?.domain ?? null });
      if (envelope !== null) return { desk, envelope };
    }
    return null;
  }

  /** @returns false when this worker should end */
  private async start(desk: HostQueue, envelope: Envelope): Promise<boolean> {
    const { searches } = this.setting;
    if (searches.isOffLimits(desk, envelope.domain)) {
      searches.spare(desk, envelope.domain);
      return true;
    }
    this.queue = desk;
    desk.connections += 1;
    if (this.permit === null) {
      const answer = await this.acquire(desk, envelope);
      if (answer?.kind !== 'granted') {
        this.leaveDesk();
        return answer === null || this.notGranted(answer.kind, desk, envelope);
      }
      this.permit = new ConnectionPermit(desk.group, envelope.domain, answer);
    }
    const flight = this.take(desk, envelope, desk.traits.flightSize(NOTHING_YET), true);
    if (flight.asked.length === 0) await this.endSession();
    else await this.open(desk, flight, this.permit);
    return true;
  }

  private notGranted(kind: 'backed_off' | 'full', desk: HostQueue, { domain }: Envelope): boolean {
    const { searches, deadline } = this.setting;
    if (kind === 'backed_off') {
      searches.leaveAlone(desk.group, domain);
      return true;
    }
    if (deadline.expired) return false;
    // Other connections to the group do the work.
    if (this.setting.isHeld(desk.group)) searches.markGroupCrowded(desk.group);
    else searches.markGroupFull(desk.group);
    return true;
  }

  /** @returns null when the wait was cancelled */
  private async acquire(desk: HostQueue, envelope: Envelope): Promise<PolitenessAnswer | null> {
    const deadline = this.setting.deadline.part();
    this.waiting = deadline;
    try {
      const random = this.setting.searches.randoms.at(desk, envelope.domain)?.isDue === true ? 1 : 0;
      const recipients = Math.min(desk.traits.flightSize(NOTHING_YET), desk.waitingFor(envelope) + random);
      const answer = await this.ask(desk, envelope, { recipients, deadline, patienceMs: this.setting.patienceMs });
      return answer.kind === 'full' && this.dismissed ? null : answer;
    } finally {
      this.waiting = null;
      this.dismissed = false;
      deadline.release();
    }
  }

  private ask(
    { group, provider }: HostQueue,
    { domain }: Envelope,
    more: Pick<PolitenessRequest, 'recipients' | 'deadline' | 'patienceMs' | 'connected'>,
  ): Promise<PolitenessAnswer> {
    const { tools, egress, requester } = this.setting;
    return tools.politeness.acquire({ group, provider, domain, egressId: egress.id, requester, ...more });
  }

  private async open(desk: HostQueue, flight: RcptBatch, leave: ConnectionPermit): Promise<void> {
    this.othersWait = flight.asked.some((asked) => asked instanceof Candidate && asked.othersWait);
    const connection = await this.connect(desk, flight);
    if (connection.kind === 'failed') {
      this.notConnected(desk, flight, leave, connection);
      await this.endSession();
      return;
    }
    desk.letInAt(connection.address);
    const { egress, deadline, trace, note } = this.setting;
    const { session, context } = beginSession(connection.socket, {
      host: desk.host.name,
      provider: desk.provider,
      egress,
      signal: deadline.signal,
      limit: (stage) => this.budgetMs(stage),
      trace,
    });
    const bulk = new BulkSession(session, context, desk.traits.manner, note);
    this.session = bulk;
    await this.askAbout(bulk, desk, flight, leave);
  }

  private connect(desk: HostQueue, { domain }: RcptBatch): Promise<HostConnection> {
    const { tools, egress, deadline, note } = this.setting;
    const { host } = desk;
    return connectToHost({
      host,
      egress,
      port: tools.port,
      othersWait: this.othersWait,
      mayConnect: (ip) => mayConnect(tools.doNotProbe, domain, host, ip),
      budgetMs: () => this.budgetMs('connect'),
      signal: deadline.signal,
      note,
    });
  }

  private notConnected(
    desk: HostQueue,
    flight: RcptBatch,
    leave: ConnectionPermit,
    { theirs, ours }: HostConnection & { kind: 'failed' },
  ): void {
    const { searches, egress } = this.setting;
    if (searches.isOffLimits(desk, flight.domain)) {
      desk.putBack(flight.asked);
      searches.spare(desk, flight.domain);
    } else if (ours !== null) {
      const why = `our egress ${egress.id} failed: ${ours}`;
      // A missing route may concern this host alone; a failing proxy or source address concerns every host.
      desk.putBack(flight.asked);
      searches.recordFault(desk, why, ours !== 'unreachable');
    } else if (theirs) {
      this.settlement.notConnected(desk, flight, leave);
    } else {
      desk.putBack(flight.asked);
    }
  }

  /** Asks the next batch of an open session, or ends the session. */
  private async goOn(session: BulkSession, desk: HostQueue): Promise<void> {
    const { searches, deadline } = this.setting;
    const envelope = nextEnvelope(session, desk);
    const size = Math.min(
      desk.traits.flightSize(session.count),
      desk.traits.transactionRoom(takenIn(session, envelope)),
    );
    if (envelope === null || size === 0) return this.endSession();
    if (searches.isOffLimits(desk, envelope.domain)) return searches.spare(desk, envelope.domain);
    const flight = this.take(desk, envelope, size, false);
    const answer = await this.ask(desk, envelope, { recipients: flight.asked.length, deadline, connected: true });
    if (answer.kind !== 'granted') {
      searches.putBack(desk, flight.asked);
      if (answer.kind === 'backed_off') searches.leaveAlone(desk.group, envelope.domain);
      else await this.endSession();
      return;
    }
    const leave = new ConnectionPermit(desk.group, envelope.domain, answer);
    try {
      await this.askAbout(session, desk, flight, leave);
    } finally {
      leave.release();
    }
  }

  private take(desk: HostQueue, envelope: Envelope, size: number, fresh: boolean): RcptBatch {
    return desk.take(envelope, { fresh, size, random: this.setting.searches.randoms.at(desk, envelope.domain) });
  }

  private async askAbout(
    session: BulkSession,
    desk: HostQueue,
    flight: RcptBatch,
    leave: ConnectionPermit,
  ): Promise<void> {
    this.othersWait = flight.asked.some((asked) => asked instanceof Candidate && asked.othersWait);
    const report = await session.ask(flight);
    this.settlement.settle({ desk, session, flight, report, leave });
    await this.setting.searches.witnesses.seek(desk, flight.domain, leave);
    if (session.over) await this.endSession();
  }

  private budgetMs(stage: SmtpStage): number {
    const { tools, deadline } = this.setting;
    return stepBudgetMs(stepLimitMs(tools, stage), deadline.remainingMs(), this.othersWait);
  }

  /**
   * Closes the session before another one is opened: with QUIT, waiting for the hang-up, where the host has more work.
   * A permit that met only refusals of us is kept for another host of the same group.
   */
  private async endSession(): Promise<void> {
    const { session, queue: desk } = this;
    this.session = null;
    if (session?.responsive === true && desk !== null && desk.waiting > 0 && desk.traits.answersQuit) {
      desk.traits.answersQuit = await session.farewell(FAREWELL_MS);
    } else {
      session?.close();
    }
    this.leaveDesk();
    if (this.permit?.refused !== true) this.giveLeaveBack();
  }

  private leaveDesk(): void {
    if (this.queue === null) return;
    this.queue.connections -= 1;
    this.queue = null;
  }

  private giveLeaveBack(): void {
    if (this.permit === null) return;
    this.permit.release();
    this.setting.searches.clearGroupCrowded(this.permit.group);
    this.permit = null;
  }
}

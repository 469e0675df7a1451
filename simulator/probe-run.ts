import type { AllowedConnections } from '../src/engine/smtp/bulk/bulk-prober.js';
import type { FirstBatches } from '../src/engine/smtp/bulk/first-batches.js';
import type { Pace, SessionsOutcome } from '../src/engine/smtp/politeness.js';
import { NO_ANSWER } from '../src/engine/smtp/sessions-outcome.js';
import { PATIENCE_MS } from '../src/verify/bulk/ask-mail-hosts.js';
import type { Clock, Process, Suspension } from './clock.js';
import { Dialogue, type Answered } from './dialogue.js';
import { HostLine, isWitness, type Asked, type Witness } from './host-line.js';
import type { Lane, PermitWait } from './lane.js';
import type { Recipient, SimulatedDomain, SimulatedHost } from './world.js';

const SERVED: SessionsOutcome = { kind: 'served', retryAfterSeconds: null };
const REFUSED: SessionsOutcome = { kind: 'session_refused', retryAfterSeconds: null };

export interface ProbeRunSetting {
  readonly clock: Clock;
  readonly allowed: AllowedConnections;
  readonly laneOf: (host: SimulatedHost) => Lane;
  readonly untilMs: number;
  readonly list: FirstBatches;
  /** Round trips before the first command: the TCP handshake and the greeting. */
  readonly roundTripsToConnect: number;
  /** Spends processor time of the worker. */
  readonly work: (recipients: number, connections: number) => Process;
  readonly count: (host: SimulatedHost, what: 'connections' | 'recipients', by: number) => void;
  /** Called once for each recipient, when the run has ended with it. */
  readonly onEnd: (domain: SimulatedDomain) => void;
}

/** What a run leaves. */
export interface ProbeRunEnd {
  settled: number;
  readonly greylisted: Recipient[];
  readonly backedOff: Recipient[];
  readonly busy: Recipient[];
  /** Milliseconds until the limits allow more of the busy ones, if known. */
  freeInMs: number | null;
  readonly failed: Recipient[];
}

/** The recipients of a chunk, asked about over some connections from one egress: the product's `BulkRun`. */
export class ProbeRun {
  private readonly end: ProbeRunEnd = {
    settled: 0,
    greylisted: [],
    backedOff: [],
    busy: [],
    freeInMs: null,
    failed: [],
  };
  private readonly lines = new Map<SimulatedHost, HostLine>();
  private readonly full = new Set<string>();
  private readonly crowded = new Set<string>();
  /** Groups of the permits that connections hold. */
  private readonly held: string[] = [];
  private readonly waits = new Set<PermitWait>();
  private connections = 0;
  private left: number;
  private onEnd: (() => void) | null = null;

  constructor(
    private readonly setting: ProbeRunSetting,
    recipients: readonly Recipient[],
  ) {
    this.left = recipients.length;
    for (const recipient of recipients) {
      recipient.retryLeft = true;
      recipient.moved = false;
      const line = this.lineOf(recipient.domain.host);
      line.witnessOf(recipient.domain).open += 1;
      line.add(recipient);
    }
  }

  *run(): Process<ProbeRunEnd> {
    this.setting.allowed.onMore?.(() => this.adjust());
    this.adjust();
    if (this.connections > 0) {
      const ended: Suspension = (resume) => {
        this.onEnd = resume;
      };
      yield ended;
    }
    for (const line of this.lines.values()) this.leave(line.drain(), this.end.failed);
    return this.end;
  }

  private get isOver(): boolean {
    return this.left === 0 || this.setting.clock.nowMs >= this.setting.untilMs;
  }

  private adjust(): void {
    let [waiting, wanted] = [0, 0];
    for (const line of this.lines.values()) {
      waiting += line.waiting;
      wanted += this.wants(line) ? line.wantedConnections : line.connections;
    }
    if (this.isOver || waiting === 0) {
      for (const wait of this.waits) wait.dismiss();
      return;
    }
    while (this.connections < Math.min(wanted, this.setting.allowed.count)) {
      this.connections += 1;
      // Not at once: a connection that ends before its first wait changes what is wanted.
      this.setting.clock.after(0, () => this.setting.clock.start(this.connect()));
    }
  }

  private wants(line: HostLine): boolean {
    return line.connections < line.wantedConnections && !this.crowded.has(line.host.group);
  }

  private *connect(): Process {
    while (!this.isOver) {
      const line = [...this.lines.values()].find((one) => one.waiting > 0 && this.wants(one));
      if (line === undefined || !(yield* this.begin(line))) break;
      this.adjust();
    }
    this.connections -= 1;
    this.adjust();
    if (this.connections === 0) this.onEnd?.();
  }

  /** @returns false when this connection should end */
  private *begin(line: HostLine): Process<boolean> {
    const { clock, laneOf } = this.setting;
    const { host } = line;
    const lane = laneOf(host);
    const domain = line.next(true, null)!;
    const size = Math.min(lane.atOnce, line.traits.batchSize({ answered: 0, errors: 0, transactions: 0 }));
    line.connections += 1;
    const wait: PermitWait = { dismiss: () => undefined };
    this.waits.add(wait);
    const patienceMs = Math.min(PATIENCE_MS, this.setting.untilMs - clock.nowMs);
    const recipients = Math.min(size, line.waitingFor(domain));
    const permit = yield* lane.acquire({ domain: domain.name, recipients, patienceMs }, wait);
    this.waits.delete(wait);
    if (permit !== 'granted') {
      line.connections -= 1;
      return permit !== 'dismissed' && this.notGranted(permit, line, domain, lane.paceFor(domain.name, recipients));
    }
    this.held.push(host.group);
    const batch = line.take(domain, recipients, true);
    const outcome = batch.length === 0 ? NO_ANSWER : yield* this.converse(line, lane, domain, batch);
    line.connections -= 1;
    this.held.splice(this.held.indexOf(host.group), 1);
    lane.release(domain.name, outcome, true);
    this.crowded.delete(host.group);
    return true;
  }

  private notGranted(
    permit: 'backed_off' | 'full',
    line: HostLine,
    domain: SimulatedDomain,
    pace: Pace | null,
  ): boolean {
    const { group } = line.host;
    if (permit === 'backed_off') {
      for (const other of this.lines.values())
        if (other.host.group === group) this.leave(other.drain(domain), this.end.backedOff);
    } else if (this.setting.clock.nowMs >= this.setting.untilMs) {
      return false;
    } else if (this.held.includes(group)) {
      this.crowded.add(group);
    } else {
      this.full.add(group);
      if (pace !== null) this.end.freeInMs = Math.min(this.end.freeInMs ?? pace.waitMs, pace.waitMs);
      for (const other of this.lines.values()) if (other.host.group === group) this.leave(other.drain(), this.end.busy);
    }
    return true;
  }

  /** @returns the outcome of the session, as far as its first permit covers it */
  private *converse(line: HostLine, lane: Lane, domain: SimulatedDomain, batch: Asked[]): Process<SessionsOutcome> {
    const { clock, roundTripsToConnect, work, count } = this.setting;
    const { behaviour } = line.host;
    count(line.host, 'connections', 1);
    yield* work(0, 1);
    yield clock.sleep(behaviour.unreachableAfterMs ?? behaviour.roundTripMs * roundTripsToConnect);
    if (behaviour.unreachableAfterMs !== undefined || behaviour.refusesUs === true) {
      line.failed = true;
      this.settle([...batch, ...line.drain()]);
      return behaviour.refusesUs === true ? REFUSED : NO_ANSWER;
    }
    const dialogue = new Dialogue(line);
    // EHLO.
    yield clock.sleep(behaviour.roundTripMs);
    yield* this.ask(line, dialogue, domain, batch);
    while (!dialogue.over && !this.isOver) {
      this.adjust();
      const next = dialogue.next();
      const size = next === null ? 0 : Math.min(lane.atOnce, dialogue.batchSize(next));
      if (next === null || size === 0) break;
      const further = line.take(next, size, false);
      let permit = lane.more(next.name, further.length);
      const allowed = permit === 'full' ? (lane.paceFor(next.name, further.length)?.recipients ?? 0) : 0;
      if (allowed > 0) {
        this.requeue(line, further.splice(allowed));
        permit = lane.more(next.name, further.length);
      }
      if (permit !== 'granted') {
        this.requeue(line, further);
        if (permit === 'backed_off') this.notGranted(permit, line, next, null);
        else break;
        continue;
      }
      yield* this.ask(line, dialogue, next, further);
      lane.release(next.name, SERVED, false);
    }
    // QUIT, where another session may follow.
    if (line.waiting > 0) yield clock.sleep(behaviour.roundTripMs);
    return SERVED;
  }

  private *ask(line: HostLine, dialogue: Dialogue, domain: SimulatedDomain, batch: readonly Asked[]): Process {
    const { clock, work, count } = this.setting;
    yield clock.sleep(line.host.behaviour.roundTripMs);
    const { all, heard } = dialogue.ask(domain, batch);
    count(line.host, 'recipients', heard);
    yield* work(heard, 0);
    if (dialogue.count.answered > 0) line.served = true;
    const back: Asked[] = [];
    for (const one of all) if (this.isToBeAskedAgain(line, dialogue, one)) back.push(one.asked);
    this.requeue(line, back);
    this.seekWitness(line, domain);
  }

  private isToBeAskedAgain(line: HostLine, dialogue: Dialogue, { asked, answer, step }: Answered): boolean {
    if (isWitness(asked)) {
      if (step === 'not_reached') return true;
      this.settleHeld(asked);
      return false;
    }
    if (step === 'not_reached') return true;
    if (step === 'next_transaction' && !asked.moved) {
      asked.moved = true;
      return true;
    }
    if (step === 'judge' || !asked.retryLeft) {
      this.judge(line, asked, answer);
      return false;
    }
    asked.retryLeft = false;
    dialogue.over = true;
    if (answer !== 'hang_up') return true;
    line.suspect(asked);
    return false;
  }

  private judge(line: HostLine, recipient: Recipient, answer: Answered['answer']): void {
    const witness = line.witnessOf(recipient.domain);
    witness.open -= 1;
    if (answer === 'vaguely_refused' && !witness.othersAccepted) {
      witness.held += 1;
      return;
    }
    if (answer === 'accepted') {
      witness.othersAccepted = true;
      this.settleHeld(witness);
    }
    const isDeferred = answer === 'greylisted' || answer === 'full';
    if (isDeferred && !recipient.tried) {
      recipient.tried = true;
      this.end.greylisted.push(recipient);
    }
    this.end.settled += 1;
    this.endOne(recipient.domain);
  }

  private settleHeld(witness: Witness): void {
    this.end.settled += witness.held;
    for (; witness.held > 0; witness.held -= 1) this.endOne(witness.domain);
  }

  private endOne(domain: SimulatedDomain): void {
    this.left -= 1;
    this.setting.onEnd(domain);
  }

  private seekWitness(line: HostLine, domain: SimulatedDomain): void {
    const witness = line.witnessOf(domain);
    if (witness.held === 0 || witness.open > 0 || witness.isAsked) return;
    witness.isAsked = true;
    line.add(witness);
  }

  private settle(all: readonly Asked[]): void {
    const recipients = all.filter((one) => !isWitness(one));
    this.end.settled += recipients.length;
    for (const { domain } of recipients) this.endOne(domain);
  }

  private requeue(line: HostLine, all: readonly Asked[]): void {
    if (this.full.has(line.host.group)) this.leave(all, this.end.busy);
    else if (line.failed) this.settle(all);
    else line.requeue(all);
  }

  /** They get no outcome in this run. */
  private leave(all: readonly Asked[], to: Recipient[]): void {
    for (const one of all) {
      if (isWitness(one)) {
        this.settleHeld(one);
        continue;
      }
      this.lineOf(one.domain.host).witnessOf(one.domain).open -= 1;
      to.push(one);
      this.endOne(one.domain);
    }
  }

  private lineOf(host: SimulatedHost): HostLine {
    const known = this.lines.get(host) ?? new HostLine(host, this.setting.list);
    this.lines.set(host, known);
    return known;
  }
}

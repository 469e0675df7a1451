import type { Deadline } from '../../deadline.js';
import type { MailHost } from '../../dns/mail-hosts.js';
import { isPositive } from '../answer.js';
import type { Egress } from '../egress.js';
import { DO_NOT_PROBE, judgeRecipient, silent, type JudgedAnswer } from '../judge-recipient.js';
import type { Note } from '../note.js';
import { isOffLimits } from '../off-limits.js';
import type { ProbeTools } from '../probe-tools.js';
import type { ProbeFacts } from '../prober.js';
import { SMTP_STAGES, type SmtpStage } from '../reply.js';
import { outcomeOf } from '../sessions-outcome.js';
import { isPostmaster, type WitnessFinding } from '../witness.js';
import type { BulkDomain, BulkProbeRequest, BulkRecipient } from './bulk-prober.js';
import { Candidate, type ReceivedAnswer } from './candidate.js';
import { GroupLimits } from './group-limits.js';
import { HostQueue, isSideProbe, type BatchRecipient, type SideProbe } from './host-queue.js';
import type { ConnectionPermit } from './connection-permit.js';
import { RandomProbe } from './random-probe.js';
import { RandomRecipients } from './random-recipients.js';
import { SharedOrder } from './shared-order.js';
import { Witnesses } from './witnesses.js';

/** Consecutive refusals of us, in answer to recipients of a domain, before a pause; the same as in politeness. */
const REFUSALS_IN_ROW = 3;

export interface RecipientSchedulerSetting {
  readonly tools: ProbeTools;
  readonly egress: Egress;
  readonly deadline: Deadline;
  readonly onOutcome: BulkProbeRequest['onOutcome'];
  readonly note: Note;
}

/**
 * Schedules many recipients from one egress: which recipient waits at which mail host, and its answers so far. Each
 * moves from host to host as in a single check, and gets its outcome at its end.
 */
export class RecipientScheduler {
  readonly randoms: RandomRecipients;
  readonly witnesses: Witnesses;
  private readonly candidates: Candidate[] = [];
  private readonly queues = new Map<string, HostQueue>();
  private readonly order = new SharedOrder();
  private readonly groups = new GroupLimits();
  private left = 0;
  private egressBroken = false;

  constructor(private readonly setting: RecipientSchedulerSetting) {
    this.randoms = new RandomRecipients(setting.tools.randomLocalPart);
    this.witnesses = new Witnesses(setting, {
      judgeRefusal: (queue, { candidate, received, witness, othersAccepted }, permit) => {
        const random = this.randomResultFor(this.randoms.at(queue, candidate.domain), othersAccepted);
        this.judge(queue, candidate, received, { random, witness, permit });
      },
      isNotAsked: (queue, postmaster) => this.over || this.skipIfRuledOut(queue, postmaster),
    });
  }

  /** True when no recipient is left, or none can be asked about. */
  get over(): boolean {
    return this.left === 0 || this.egressBroken || this.setting.deadline.expired;
  }

  get hosts(): Iterable<HostQueue> {
    return this.queues.values();
  }

  /** Recipients that wait, at all hosts together. */
  get waiting(): number {
    let waiting = 0;
    for (const queue of this.queues.values()) waiting += queue.waiting;
    return waiting;
  }

  get wantedConnections(): number {
    let wanted = 0;
    for (const queue of this.queues.values())
      wanted += this.wantsConnection(queue) ? queue.wantedConnections : queue.connections;
    return wanted;
  }

  /** True when the host has work for one more connection. */
  wantsConnection(queue: HostQueue): boolean {
    return queue.connections < queue.wantedConnections && !this.groups.isCrowded(queue);
  }

  add({ domain, hosts, randomRecipient }: BulkDomain, recipients: readonly BulkRecipient[]): void {
    if (randomRecipient) this.randoms.want(domain);
    const ordered = this.order.of(hosts);
    for (const { index, address } of recipients) this.candidates.push(new Candidate(index, address, ordered));
  }

  begin(): void {
    this.left = this.candidates.length;
    for (const candidate of this.candidates) this.queueAtNextHost(candidate);
  }

  /** Gives every unfinished recipient the outcome of its answers so far. */
  end(): void {
    for (const queue of this.queues.values()) this.giveUpSideProbes(queue);
    for (const candidate of this.candidates) {
      if (candidate.done) continue;
      const { earlierAnswer, host } = candidate;
      if (earlierAnswer !== null && host !== null)
        candidate.findings.consider(this.factsOf(candidate, earlierAnswer, host));
      this.settle(candidate);
    }
  }

  /** True when the domain, the host or all its addresses are on the do-not-probe list (decisions 6.6). */
  isOffLimits(queue: HostQueue, domain: string): boolean {
    const { tools, egress } = this.setting;
    return isOffLimits(tools.doNotProbe, domain, { host: queue.host, egress });
  }

  /**
   * Handles the answer about a recipient. An accepted one waits for the random recipient's result, an ambiguous refusal
   * for the answers about others.
   */
  onAnswer(queue: HostQueue, candidate: Candidate, received: ReceivedAnswer, permit: ConnectionPermit | null): void {
    const decisive = candidate.decisive(received);
    const { answer } = decisive;
    const isAccepted = answer.stage === 'rcpt' && isPositive(answer);
    if (isAccepted && !isPostmaster(candidate.path)) this.witnesses.noteAccepted(queue, candidate.domain, permit);
    if (this.witnesses.hold(queue, candidate, decisive, permit)) return;
    const random = answer.stage === 'rcpt' ? this.randoms.at(queue, candidate.domain) : null;
    if (random !== null && random.result === null && isPositive(answer)) {
      permit?.note({ kind: 'served', retryAfterSeconds: null });
      random.wait({ candidate, received: decisive });
      return;
    }
    this.judge(queue, candidate, decisive, { random: this.randomResultFor(random, isAccepted), permit });
  }

  /** Handles the answer about a side probe. */
  onSideProbeAnswer(queue: HostQueue, probe: SideProbe, received: ReceivedAnswer, permit: ConnectionPermit): void {
    if (probe instanceof RandomProbe) this.onRandomAnswer(queue, probe, received, permit);
    else this.witnesses.onPostmasterAnswer(queue, probe, received, permit);
  }

  private onRandomAnswer(
    queue: HostQueue,
    random: RandomProbe,
    { answer, context }: ReceivedAnswer,
    permit: ConnectionPermit,
  ): void {
    const judged =
      answer.kind === 'reply'
        ? this.setting.tools.classify(answer.reply, { ...context, stage: answer.stage, recipient: random.path })
        : null;
    random.onAnswer(answer, judged);
    if (random.result === 'accepted') this.witnesses.noteAccepted(queue, random.domain, permit);
    this.judgeAccepted(queue, random);
  }

  /** Queues the random recipient for a session that begins with it, if accepted recipients wait for it. */
  askAgainWhereWanted(queue: HostQueue, random: RandomProbe): void {
    if (!random.isWanted) return;
    if (queue.failure === null && !this.over) return queue.suspect(random);
    random.giveUp();
    this.judgeAccepted(queue, random);
  }

  /**
   * Puts recipients that were not asked about, or need another try, at the head of the queue if the host is still
   * asked.
   */
  requeue(queue: HostQueue, recipients: readonly BatchRecipient[]): void {
    const meant = recipients.filter((one) => !this.skipIfRuledOut(queue, one));
    queue.requeue(meant);
  }

  /** Queues a recipient that may have ended a session: it begins the next one. */
  suspect(queue: HostQueue, candidate: Candidate): void {
    if (!this.skipIfRuledOut(queue, candidate)) queue.suspect(candidate);
  }

  /** Asks the host no more: it gave this answer before RCPT, or for every recipient. */
  failHost(queue: HostQueue, failure: JudgedAnswer): void {
    queue.failure = failure;
    this.moveToNextHosts(queue, () => true, failure);
    this.giveUpSideProbes(queue);
  }

  /** Records the host's answer for all recipients that need SMTPUTF8. */
  failUtf8(queue: HostQueue, failure: JudgedAnswer): void {
    queue.utf8Failure = failure;
    this.moveToNextHosts(queue, ({ utf8 }) => utf8, failure);
  }

  /** Gives these recipients the host's answer and moves them to the next host. */
  considerAll(
    queue: HostQueue,
    recipients: readonly BatchRecipient[],
    judged: JudgedAnswer,
    permit: ConnectionPermit | null = null,
  ): void {
    for (const one of recipients) {
      if (isSideProbe(one)) {
        this.giveUp(queue, one);
      } else {
        const { earlierAnswer } = one;
        const goneFurther = earlierAnswer !== null && isFurther(earlierAnswer.answer.stage, judged.stage);
        if (goneFurther) this.onAnswer(queue, one, earlierAnswer, permit);
        else this.consider(queue, one, judged, { random: 'not_asked', permit });
      }
    }
  }

  /** Asks hosts of the group no more about the domain in this run. */
  backOff(group: string, domain: string): void {
    this.groups.backOff(group, domain);
    for (const queue of this.queues.values()) {
      if (queue.group === group)
        this.moveToNextHosts(queue, (recipient) => recipient.domain === domain, silent('none', 'backed_off'));
    }
  }

  /** Drops the domain at this host: one of the two is on the do-not-probe list. */
  dropOffLimits(queue: HostQueue, domain: string): void {
    this.setting.note(`${queue.host.name} is not asked about ${domain}: it is on the do-not-probe list.`);
    this.moveToNextHosts(queue, (recipient) => recipient.domain === domain, DO_NOT_PROBE);
  }

  /** Our limits for the group are used up. @param freeInMs when its pace allows more, if known */
  markGroupFull(group: string, freeInMs?: number): void {
    this.groups.fill(group, freeInMs);
    this.setting.note(`Hosts of ${group} are asked no more: our own limits for them are full.`);
    for (const queue of this.queues.values()) {
      if (queue.group === group) this.skipAll(queue, (candidate) => candidate.findings.noteFull(freeInMs));
    }
  }

  /** The group allows no further connection until one is released. */
  markGroupCrowded(group: string): void {
    this.groups.crowd(group);
  }

  clearGroupCrowded(group: string): void {
    this.groups.clear(group);
  }

  /**
   * Records a fault on our side that kept us from asking the host.
   * @param forAll the fault concerns every host
   */
  recordFault(queue: HostQueue, why: string, forAll: boolean): void {
    if (forAll) {
      this.egressBroken = true;
      for (const candidate of this.candidates) if (!candidate.done) candidate.findings.noteFault(why);
      return;
    }
    this.skipAll(queue, (candidate) => candidate.findings.noteFault(why));
  }

  private skipAll(queue: HostQueue, note: (candidate: Candidate) => void): void {
    const all = queue.removeMatching(() => true);
    this.skip(queue, all, note);
  }

  private skip(queue: HostQueue, recipients: readonly BatchRecipient[], note: (candidate: Candidate) => void): void {
    for (const one of recipients) {
      if (isSideProbe(one)) {
        this.giveUp(queue, one);
      } else {
        note(one);
        queue.postmasterOf(one.domain).dismiss(one);
        one.moveToNextHost();
        this.queueAtNextHost(one);
      }
    }
  }

  private moveToNextHosts(queue: HostQueue, meant: (recipient: BatchRecipient) => boolean, judged: JudgedAnswer): void {
    this.considerAll(queue, queue.removeMatching(meant), judged);
  }

  private judgeAccepted(queue: HostQueue, random: RandomProbe): void {
    for (const { candidate, received } of random.takeAccepted()) {
      this.judge(queue, candidate, received, { random: random.result ?? 'inconclusive', permit: null });
    }
  }

  private giveUpSideProbes(queue: HostQueue): void {
    for (const probe of queue.sideProbes) this.giveUp(queue, probe);
  }

  /** Drops a side probe. */
  private giveUp(queue: HostQueue, probe: SideProbe): void {
    if (probe instanceof RandomProbe) {
      probe.giveUp();
      this.judgeAccepted(queue, probe);
    } else {
      this.witnesses.giveUp(queue, probe);
    }
  }

  private randomResultFor(random: RandomProbe | null, othersAccepted: boolean): ProbeFacts['random'] {
    return (othersAccepted ? random?.result : random?.resultWithoutWitness) ?? 'not_asked';
  }

  private judge(
    queue: HostQueue,
    candidate: Candidate,
    received: ReceivedAnswer,
    { permit, ...beside }: Circumstances,
  ): void {
    const { random } = beside;
    const judged = judgeRecipient(
      received.answer,
      beside,
      candidate.path,
      received.context,
      this.setting.tools.classify,
    );
    const facts = this.consider(queue, candidate, judged, { random, permit });
    if (facts.stage !== 'rcpt' || facts.ending !== 'reply') return;
    const inRow = queue.countRefusals(candidate.domain, facts.subject === 'us');
    if (inRow < REFUSALS_IN_ROW || queue.backedOff.has(candidate.domain)) return;
    permit?.noteRefusedInRow();
    // Politeness decides whether other hosts of the group are asked about the domain.
    queue.backedOff.add(candidate.domain);
    this.moveToNextHosts(queue, (recipient) => recipient.domain === candidate.domain, silent('none', 'backed_off'));
  }

  private consider(queue: HostQueue, candidate: Candidate, judged: JudgedAnswer, at: Circumstances): ProbeFacts {
    const facts: ProbeFacts = { ...judged, random: at.random, host: queue.host.name, egress: this.setting.egress.id };
    at.permit?.note(outcomeOf(facts));
    candidate.findings.consider(facts);
    queue.postmasterOf(candidate.domain).dismiss(candidate);
    candidate.moveToNextHost();
    this.queueAtNextHost(candidate);
    return facts;
  }

  private factsOf(candidate: Candidate, { answer, context }: ReceivedAnswer, host: MailHost): ProbeFacts {
    const { tools, egress } = this.setting;
    const random = answer.stage === 'rcpt' && this.randoms.isWanted(candidate.domain) ? 'inconclusive' : 'not_asked';
    const judged = judgeRecipient(answer, { random }, candidate.path, context, tools.classify);
    return { ...judged, random, host: host.name, egress: egress.id };
  }

  /** Queues a recipient at the next host that can be asked, or gives its outcome. */
  private queueAtNextHost(candidate: Candidate): void {
    const { host, findings } = candidate;
    if (host === null || findings.settled || this.egressBroken || this.setting.deadline.expired) {
      return this.settle(candidate);
    }
    const queue = this.queueOf(host);
    if (this.isOffLimits(queue, candidate.domain)) {
      this.considerAll(queue, [candidate], DO_NOT_PROBE);
    } else if (!this.skipIfRuledOut(queue, candidate)) {
      queue.postmasterOf(candidate.domain).expect(candidate);
      queue.add(candidate);
    }
  }

  /** True when known facts rule out asking this host about it; it then moves on. */
  private skipIfRuledOut(queue: HostQueue, recipient: BatchRecipient): boolean {
    if (this.groups.isFull(queue)) {
      this.skip(queue, [recipient], (candidate) => candidate.findings.noteFull(this.groups.freeInMs(queue)));
      return true;
    }
    const known = this.knownAnswer(queue, recipient);
    if (known !== null) this.considerAll(queue, [recipient], known);
    return known !== null;
  }

  private knownAnswer(queue: HostQueue, { domain, utf8 }: BatchRecipient): JudgedAnswer | null {
    if (queue.backedOff.has(domain) || this.groups.isBackedOff(queue, domain)) return silent('none', 'backed_off');
    if (queue.failure !== null) return queue.failure;
    return utf8 ? queue.utf8Failure : null;
  }

  private settle(candidate: Candidate): void {
    candidate.done = true;
    this.left -= 1;
    this.setting.onOutcome(candidate.index, candidate.findings.outcome(this.setting.deadline));
  }

  private queueOf(host: MailHost): HostQueue {
    const known = this.queues.get(host.name);
    if (known !== undefined) return known;
    const queue = new HostQueue(host, this.setting.tools.findProvider(host.name));
    this.queues.set(host.name, queue);
    return queue;
  }
}

/** True when `stage` is at or after `than`. */
function isFurther(stage: SmtpStage, than: SmtpStage): boolean {
  return SMTP_STAGES.indexOf(stage) >= SMTP_STAGES.indexOf(than);
}

interface Circumstances {
  readonly random: ProbeFacts['random'];
  readonly witness?: WitnessFinding;
  readonly permit: ConnectionPermit | null;
}

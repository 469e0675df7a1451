import type { Deadline } from '../../deadline.js';
import type { MailHost } from '../../dns/mail-hosts.js';
import { isPositive } from '../answer.js';
import type { Egress } from '../egress.js';
import { DO_NOT_PROBE, judgeRecipient, silent, type JudgedAnswer } from '../judge-recipient.js';
import type { Note } from '../note.js';
import type { ProbeTools } from '../probe-tools.js';
import type { ProbeFacts } from '../prober.js';
import { isLater } from '../reply.js';
import { outcomeOf } from '../sessions-outcome.js';
import { isPostmaster, type WitnessFinding } from '../witness.js';
import type { BulkDomain, BulkProbeRequest, BulkRecipient } from './bulk-prober.js';
import { Candidate, type ReceivedAnswer } from './candidate.js';
import { isSideProbe, type BatchRecipient, type HostQueue, type SideProbe } from './host-queue.js';
import type { FirstBatches } from './first-batches.js';
import { HostQueues } from './host-queues.js';
import type { SessionsPermit } from '../sessions-permit.js';
import { RandomProbe } from './random-probe.js';
import { RandomRecipients } from './random-recipients.js';
import { Witnesses } from './witnesses.js';

/** Consecutive refusals of us, in answer to recipients of a domain, before a pause; the same as in politeness. */
const REFUSALS_IN_ROW = 3;

export interface RecipientSchedulerSetting {
  readonly tools: ProbeTools;
  readonly egress: Egress;
  readonly deadline: Deadline;
  readonly onOutcome: BulkProbeRequest['onOutcome'];
  readonly note: Note;
  readonly list: FirstBatches;
}

/**
 * Schedules many recipients from one egress: which recipient waits at which mail host, and its answers so far. Each
 * moves from host to host as in a single check, and gets its outcome at its end.
 */
export class RecipientScheduler {
  readonly hosts: HostQueues;
  readonly randoms: RandomRecipients;
  readonly witnesses: Witnesses;
  private readonly candidates: Candidate[] = [];
  private left = 0;
  private egressBroken = false;

  constructor(private readonly setting: RecipientSchedulerSetting) {
    this.hosts = new HostQueues(setting);
    this.randoms = new RandomRecipients(setting.tools, {
      judgeAccepted: (queue, { candidate, received }, random) =>
        this.judge(queue, candidate, received, { random, permit: null }),
      noteAccepted: (queue, random, permit) => this.witnesses.noteAccepted(queue, random, permit),
      isOver: () => this.over,
    });
    this.witnesses = new Witnesses(setting, {
      judgeRefusal: (queue, { candidate, received, witness, othersAccepted }, permit) => {
        const random = this.randoms.resultAt(queue, candidate.domain, othersAccepted);
        this.judge(queue, candidate, received, { random, witness, permit });
      },
      isNotAsked: (queue, postmaster) => this.over || this.skipIfRuledOut(queue, postmaster),
    });
  }

  /** True when no recipient is left, or none can be asked about. */
  get over(): boolean {
    return this.left === 0 || this.egressBroken || this.setting.deadline.expired;
  }

  add({ domain, hosts, randomRecipient }: BulkDomain, recipients: readonly BulkRecipient[]): void {
    if (randomRecipient) this.randoms.want(domain);
    const ordered = this.hosts.order.of(hosts);
    for (const { index, address } of recipients) this.candidates.push(new Candidate(index, address, ordered));
  }

  begin(): void {
    this.left = this.candidates.length;
    for (const candidate of this.candidates) this.queueAtNextHost(candidate);
  }

  /** Gives every unfinished recipient the outcome of its answers so far. */
  end(): void {
    for (const queue of this.hosts) for (const probe of queue.sideProbes) this.giveUp(queue, probe);
    for (const candidate of this.candidates) {
      if (candidate.done) continue;
      const { earlierAnswer, host } = candidate;
      if (earlierAnswer !== null && host !== null)
        candidate.findings.consider(this.factsOf(candidate, earlierAnswer, host));
      this.settle(candidate);
    }
  }

  /**
   * Handles the answer about a recipient. An accepted one waits for the random recipient's result, an ambiguous refusal
   * for the answers about others.
   */
  onAnswer(queue: HostQueue, candidate: Candidate, received: ReceivedAnswer, permit: SessionsPermit | null): void {
    const decisive = candidate.decisive(received);
    const { answer } = decisive;
    const isAccepted = answer.stage === 'rcpt' && isPositive(answer);
    if (isAccepted && !isPostmaster(candidate.path)) this.witnesses.noteAccepted(queue, candidate, permit);
    if (this.witnesses.hold(queue, candidate, decisive)) return;
    if (this.randoms.hold(queue, candidate, decisive, permit)) return;
    const random = answer.stage === 'rcpt' ? this.randoms.resultAt(queue, candidate.domain, isAccepted) : 'not_asked';
    this.judge(queue, candidate, decisive, { random, permit });
  }

  /** Handles the answer about a side probe. */
  onSideProbeAnswer(queue: HostQueue, probe: SideProbe, received: ReceivedAnswer, permit: SessionsPermit): void {
    if (probe instanceof RandomProbe) this.randoms.onAnswer(queue, probe, received, permit);
    else this.witnesses.onPostmasterAnswer(queue, probe, received, permit);
  }

  /**
   * Puts recipients that were not asked about, or need another try, at the head of the queue if the host is still
   * asked.
   */
  requeue(queue: HostQueue, recipients: readonly BatchRecipient[]): void {
    queue.requeue(recipients.filter((one) => !this.skipIfRuledOut(queue, one)));
  }

  /** Queues a recipient that may have ended a session: it begins the next one. */
  suspect(queue: HostQueue, candidate: Candidate): void {
    if (!this.skipIfRuledOut(queue, candidate)) queue.suspect(candidate);
  }

  /** Asks the host no more: it gave this answer before RCPT, or for every recipient. */
  failHost(queue: HostQueue, failure: JudgedAnswer): void {
    queue.failure = failure;
    this.considerAll(queue, queue.removeAll(), failure);
    for (const probe of queue.sideProbes) this.giveUp(queue, probe);
  }

  /** Records the host's answer for all recipients that need SMTPUTF8. */
  failUtf8(queue: HostQueue, failure: JudgedAnswer): void {
    queue.utf8Failure = failure;
    this.considerAll(
      queue,
      queue.removeMatching(({ utf8 }) => utf8),
      failure,
    );
  }

  /** Gives these recipients the host's answer and moves them to the next host. */
  considerAll(
    queue: HostQueue,
    recipients: readonly BatchRecipient[],
    judged: JudgedAnswer,
    permit: SessionsPermit | null = null,
  ): void {
    for (const one of recipients) {
      if (isSideProbe(one)) {
        this.giveUp(queue, one);
      } else {
        const { earlierAnswer } = one;
        const isBehind = earlierAnswer !== null && !isLater(judged.stage, earlierAnswer.answer.stage);
        if (isBehind) this.onAnswer(queue, one, earlierAnswer, permit);
        else this.consider(queue, one, judged, { random: 'not_asked', permit });
      }
    }
  }

  /** Asks hosts of the group no more about the domain in this run. */
  backOff(group: string, domain: string): void {
    this.hosts.groups.backOff(group, domain);
    for (const queue of this.hosts.ofGroup(group)) this.moveDomainOn(queue, domain, silent('none', 'backed_off'));
  }

  /** Drops the domain at this host: one of the two is on the do-not-probe list. */
  dropOffLimits(queue: HostQueue, domain: string): void {
    this.setting.note(`${queue.host.name} is not asked about ${domain}: it is on the do-not-probe list.`);
    this.moveDomainOn(queue, domain, DO_NOT_PROBE);
  }

  /** Our limits for the group are used up. @param freeInMs when its pace allows more, if known */
  markGroupFull(group: string, freeInMs?: number): void {
    this.hosts.groups.fill(group, freeInMs);
    this.setting.note(`Hosts of ${group} are asked no more: our own limits for them are full.`);
    for (const queue of this.hosts.ofGroup(group)) {
      this.skip(queue, queue.removeAll(), ({ findings }) => findings.noteFull(freeInMs));
    }
  }

  /**
   * Records a fault on our side that kept us from asking the host.
   * @param forAll the fault concerns every host
   */
  recordFault(queue: HostQueue, why: string, forAll: boolean): void {
    if (!forAll) return this.skip(queue, queue.removeAll(), ({ findings }) => findings.noteFault(why));
    this.egressBroken = true;
    for (const candidate of this.candidates) if (!candidate.done) candidate.findings.noteFault(why);
  }

  private skip(queue: HostQueue, recipients: readonly BatchRecipient[], note: (candidate: Candidate) => void): void {
    for (const one of recipients) {
      if (isSideProbe(one)) {
        this.giveUp(queue, one);
      } else {
        note(one);
        this.moveOn(queue, one);
      }
    }
  }

  private moveDomainOn(queue: HostQueue, domain: string, judged: JudgedAnswer): void {
    const affected = queue.removeMatching((recipient) => recipient.domain === domain);
    this.considerAll(queue, affected, judged);
  }

  /** Drops a side probe. */
  private giveUp(queue: HostQueue, probe: SideProbe): void {
    if (probe instanceof RandomProbe) this.randoms.giveUp(queue, probe);
    else this.witnesses.giveUp(queue, probe);
  }

  private judge(
    queue: HostQueue,
    candidate: Candidate,
    { answer, context }: ReceivedAnswer,
    { permit, ...beside }: Circumstances,
  ): void {
    const { random } = beside;
    const judged = judgeRecipient(answer, beside, candidate.path, context, this.setting.tools.classify);
    const facts = this.consider(queue, candidate, judged, { random, permit });
    if (facts.stage !== 'rcpt' || facts.ending !== 'reply') return;
    const inRow = queue.countRefusals(candidate.domain, facts.subject === 'us');
    if (inRow < REFUSALS_IN_ROW || queue.backedOff.has(candidate.domain)) return;
    permit?.noteRefusedInRow();
    // Politeness decides whether other hosts of the group are asked about the domain.
    queue.backedOff.add(candidate.domain);
    this.moveDomainOn(queue, candidate.domain, silent('none', 'backed_off'));
  }

  private consider(queue: HostQueue, candidate: Candidate, judged: JudgedAnswer, at: Circumstances): ProbeFacts {
    const facts: ProbeFacts = { ...judged, random: at.random, host: queue.host.name, egress: this.setting.egress.id };
    at.permit?.note(outcomeOf(facts));
    candidate.findings.consider(facts);
    this.moveOn(queue, candidate);
    return facts;
  }

  private moveOn(queue: HostQueue, candidate: Candidate): void {
    queue.postmasterOf(candidate.domain).dismiss(candidate);
    candidate.moveToNextHost();
    this.queueAtNextHost(candidate);
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
    const queue = this.hosts.at(host);
    if (this.hosts.isOffLimits(queue, candidate.domain)) {
      this.considerAll(queue, [candidate], DO_NOT_PROBE);
    } else if (!this.skipIfRuledOut(queue, candidate)) {
      queue.postmasterOf(candidate.domain).expect(candidate);
      queue.add(candidate);
    }
  }

  /** True when known facts rule out asking this host about it; it then moves on. */
  private skipIfRuledOut(queue: HostQueue, recipient: BatchRecipient): boolean {
    const { groups } = this.hosts;
    if (groups.isFull(queue)) {
      this.skip(queue, [recipient], (candidate) => candidate.findings.noteFull(groups.freeInMs(queue)));
      return true;
    }
    const known = this.hosts.knownAnswer(queue, recipient);
    if (known !== null) this.considerAll(queue, [recipient], known);
    return known !== null;
  }

  private settle(candidate: Candidate): void {
    candidate.done = true;
    this.left -= 1;
    this.setting.onOutcome(candidate.index, candidate.findings.outcome(this.setting.deadline));
  }
}

interface Circumstances {
  readonly random: ProbeFacts['random'];
  readonly witness?: WitnessFinding;
  readonly permit: SessionsPermit | null;
}

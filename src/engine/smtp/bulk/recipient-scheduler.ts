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
import { Candidate, type Heard } from './candidate.js';
import { HostQueue, isSideProbe, type Asked, type SideProbe } from './host-queue.js';
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
  private readonly desks = new Map<string, HostQueue>();
  private readonly order = new SharedOrder();
  /** `group domain` pairs that are backed off. */
  private readonly leftAlone = new Set<string>();
  private readonly fullGroups = new Set<string>();
  /** Groups whose limits allow no connection beside those that are open. */
  private readonly crowdedGroups = new Set<string>();
  private left = 0;
  private egressBroken = false;

  constructor(private readonly setting: RecipientSchedulerSetting) {
    this.randoms = new RandomRecipients(setting.tools.randomLocalPart);
    this.witnesses = new Witnesses(setting, {
      judgeRefusal: (desk, { candidate, heard, witness, othersAccepted }, leave) => {
        const random = this.shownBy(this.randoms.at(desk, candidate.domain), othersAccepted);
        this.judge(desk, candidate, heard, { random, witness, leave });
      },
      isNotAsked: (desk, postmaster) => this.over || this.isTurnedAway(desk, postmaster),
    });
  }

  /** True when no recipient is left, or none can be asked about. */
  get over(): boolean {
    return this.left === 0 || this.egressBroken || this.setting.deadline.expired;
  }

  get hosts(): Iterable<HostQueue> {
    return this.desks.values();
  }

  /** Recipients that wait, at all hosts together. */
  get waiting(): number {
    let waiting = 0;
    for (const desk of this.desks.values()) waiting += desk.waiting;
    return waiting;
  }

  get wantedConnections(): number {
    let wanted = 0;
    for (const desk of this.desks.values())
      wanted += this.wantsConnection(desk) ? desk.wantedConnections : desk.connections;
    return wanted;
  }

  /** True when the host has work for one more connection. */
  wantsConnection(desk: HostQueue): boolean {
    return desk.connections < desk.wantedConnections && !this.crowdedGroups.has(desk.group);
  }

  add({ domain, hosts, randomRecipient }: BulkDomain, recipients: readonly BulkRecipient[]): void {
    if (randomRecipient) this.randoms.want(domain);
    const ordered = this.order.of(hosts);
    for (const { index, address } of recipients) this.candidates.push(new Candidate(index, address, ordered));
  }

  begin(): void {
    this.left = this.candidates.length;
    for (const candidate of this.candidates) this.enroll(candidate);
  }

  /** Gives every unfinished recipient the outcome of its answers so far. */
  end(): void {
    for (const desk of this.desks.values()) this.giveUpSideProbes(desk);
    for (const candidate of this.candidates) {
      if (candidate.done) continue;
      const { heardBefore, host } = candidate;
      if (heardBefore !== null && host !== null)
        candidate.findings.consider(this.factsOf(candidate, heardBefore, host));
      this.settle(candidate);
    }
  }

  /** True when the domain, the host or all its addresses are on the do-not-probe list (decisions 6.6). */
  isOffLimits(desk: HostQueue, domain: string): boolean {
    const { tools, egress } = this.setting;
    return isOffLimits(tools.doNotProbe, domain, { host: desk.host, egress });
  }

  /**
   * Handles the answer about a recipient. An accepted one waits for the random recipient's result, an ambiguous refusal
   * for the answers about others.
   */
  heard(desk: HostQueue, candidate: Candidate, heard: Heard, leave: ConnectionPermit | null): void {
    const decisive = candidate.decisive(heard);
    const { answer } = decisive;
    const isAccepted = answer.stage === 'rcpt' && isPositive(answer);
    if (isAccepted && !isPostmaster(candidate.path)) this.witnesses.noteAccepted(desk, candidate.domain, leave);
    if (this.witnesses.hold(desk, candidate, decisive, leave)) return;
    const random = answer.stage === 'rcpt' ? this.randoms.at(desk, candidate.domain) : null;
    if (random !== null && random.result === null && isPositive(answer)) {
      leave?.note({ kind: 'served', retryAfterSeconds: null });
      random.wait({ candidate, heard: decisive });
      return;
    }
    this.judge(desk, candidate, decisive, { random: this.shownBy(random, isAccepted), leave });
  }

  /** Handles the answer about a side probe. */
  heardSideProbe(desk: HostQueue, probe: SideProbe, heard: Heard, leave: ConnectionPermit): void {
    if (probe instanceof RandomProbe) this.heardRandom(desk, probe, heard, leave);
    else this.witnesses.heardPostmaster(desk, probe, heard, leave);
  }

  private heardRandom(desk: HostQueue, random: RandomProbe, { answer, context }: Heard, leave: ConnectionPermit): void {
    const judged =
      answer.kind === 'reply'
        ? this.setting.tools.classify(answer.reply, { ...context, stage: answer.stage, recipient: random.path })
        : null;
    random.heard(answer, judged);
    if (random.result === 'accepted') this.witnesses.noteAccepted(desk, random.domain, leave);
    this.judgeAccepted(desk, random);
  }

  /** Queues the random recipient for a session that begins with it, if accepted recipients wait for it. */
  askAgainWhereWanted(desk: HostQueue, random: RandomProbe): void {
    if (!random.isWanted) return;
    if (desk.failure === null && !this.over) return desk.suspect(random);
    random.giveUp();
    this.judgeAccepted(desk, random);
  }

  /**
   * Puts recipients that were not asked about, or need another try, at the head of the queue if the host is still
   * asked.
   */
  putBack(desk: HostQueue, asked: readonly Asked[]): void {
    const meant = asked.filter((one) => !this.isTurnedAway(desk, one));
    desk.putBack(meant);
  }

  /** Queues a recipient that may have ended a session: it begins the next one. */
  suspect(desk: HostQueue, candidate: Candidate): void {
    if (!this.isTurnedAway(desk, candidate)) desk.suspect(candidate);
  }

  /** Asks the host no more: it gave this answer before RCPT, or for every recipient. */
  failHost(desk: HostQueue, failure: JudgedAnswer): void {
    desk.failure = failure;
    this.sendOn(desk, () => true, failure);
    this.giveUpSideProbes(desk);
  }

  /** Records the host's answer for all recipients that need SMTPUTF8. */
  failUtf8(desk: HostQueue, failure: JudgedAnswer): void {
    desk.utf8Failure = failure;
    this.sendOn(desk, ({ utf8 }) => utf8, failure);
  }

  /** Gives these recipients the host's answer and moves them to the next host. */
  considerAll(
    desk: HostQueue,
    asked: readonly Asked[],
    judged: JudgedAnswer,
    leave: ConnectionPermit | null = null,
  ): void {
    for (const one of asked) {
      if (isSideProbe(one)) {
        this.giveUp(desk, one);
      } else {
        const { heardBefore } = one;
        const goneFurther = heardBefore !== null && isFurther(heardBefore.answer.stage, judged.stage);
        if (goneFurther) this.heard(desk, one, heardBefore, leave);
        else this.consider(desk, one, judged, { random: 'not_asked', leave });
      }
    }
  }

  /** Asks hosts of the group no more about the domain in this run. */
  leaveAlone(group: string, domain: string): void {
    this.leftAlone.add(`${group} ${domain}`);
    for (const desk of this.desks.values()) {
      if (desk.group === group) this.sendOn(desk, (asked) => asked.domain === domain, silent('none', 'backed_off'));
    }
  }

  /** Drops the domain at this host: one of the two is on the do-not-probe list. */
  spare(desk: HostQueue, domain: string): void {
    this.setting.note(`${desk.host.name} is not asked about ${domain}: it is on the do-not-probe list.`);
    this.sendOn(desk, (asked) => asked.domain === domain, DO_NOT_PROBE);
  }

  /** Our limits for the group are used up. */
  markGroupFull(group: string): void {
    this.fullGroups.add(group);
    this.setting.note(`Hosts of ${group} are asked no more: our own limits for them are full.`);
    for (const desk of this.desks.values()) {
      if (desk.group === group) this.skipAll(desk, (candidate) => candidate.findings.noteFull());
    }
  }

  /** The group allows no further connection until one is released. */
  markGroupCrowded(group: string): void {
    this.crowdedGroups.add(group);
  }

  clearGroupCrowded(group: string): void {
    this.crowdedGroups.delete(group);
  }

  /**
   * Records a fault on our side that kept us from asking the host.
   * @param forAll the fault concerns every host
   */
  recordFault(desk: HostQueue, why: string, forAll: boolean): void {
    if (forAll) {
      this.egressBroken = true;
      for (const candidate of this.candidates) if (!candidate.done) candidate.findings.noteFault(why);
      return;
    }
    this.skipAll(desk, (candidate) => candidate.findings.noteFault(why));
  }

  private skipAll(desk: HostQueue, note: (candidate: Candidate) => void): void {
    const all = desk.drain(() => true);
    this.skip(desk, all, note);
  }

  private skip(desk: HostQueue, asked: readonly Asked[], note: (candidate: Candidate) => void): void {
    for (const one of asked) {
      if (isSideProbe(one)) {
        this.giveUp(desk, one);
      } else {
        note(one);
        desk.postmasterOf(one.domain).dismiss(one);
        one.goOn();
        this.enroll(one);
      }
    }
  }

  private sendOn(desk: HostQueue, meant: (asked: Asked) => boolean, judged: JudgedAnswer): void {
    this.considerAll(desk, desk.drain(meant), judged);
  }

  private judgeAccepted(desk: HostQueue, random: RandomProbe): void {
    for (const { candidate, heard } of random.takeAccepted()) {
      this.judge(desk, candidate, heard, { random: random.result ?? 'inconclusive', leave: null });
    }
  }

  private giveUpSideProbes(desk: HostQueue): void {
    for (const probe of desk.sideProbes) this.giveUp(desk, probe);
  }

  /** Drops a side probe. */
  private giveUp(desk: HostQueue, probe: SideProbe): void {
    if (probe instanceof RandomProbe) {
      probe.giveUp();
      this.judgeAccepted(desk, probe);
    } else {
      this.witnesses.giveUp(desk, probe);
    }
  }

  private shownBy(random: RandomProbe | null, othersAccepted: boolean): ProbeFacts['random'] {
    return (othersAccepted ? random?.result : random?.resultWithoutWitness) ?? 'not_asked';
  }

  private judge(desk: HostQueue, candidate: Candidate, heard: Heard, { leave, ...beside }: Circumstances): void {
    const { random } = beside;
    const judged = judgeRecipient(heard.answer, beside, candidate.path, heard.context, this.setting.tools.classify);
    const facts = this.consider(desk, candidate, judged, { random, leave });
    if (facts.stage !== 'rcpt' || facts.ending !== 'reply') return;
    const inRow = desk.countRefusals(candidate.domain, facts.subject === 'us');
    if (inRow < REFUSALS_IN_ROW || desk.leftAlone.has(candidate.domain)) return;
    leave?.noteRefusedInRow();
    // Politeness decides whether other hosts of the group are asked about the domain.
    desk.leftAlone.add(candidate.domain);
    this.sendOn(desk, (asked) => asked.domain === candidate.domain, silent('none', 'backed_off'));
  }

  private consider(desk: HostQueue, candidate: Candidate, judged: JudgedAnswer, at: Circumstances): ProbeFacts {
    const facts: ProbeFacts = { ...judged, random: at.random, host: desk.host.name, egress: this.setting.egress.id };
    at.leave?.note(outcomeOf(facts));
    candidate.findings.consider(facts);
    desk.postmasterOf(candidate.domain).dismiss(candidate);
    candidate.goOn();
    this.enroll(candidate);
    return facts;
  }

  private factsOf(candidate: Candidate, { answer, context }: Heard, host: MailHost): ProbeFacts {
    const { tools, egress } = this.setting;
    const random = answer.stage === 'rcpt' && this.randoms.isWanted(candidate.domain) ? 'inconclusive' : 'not_asked';
    const judged = judgeRecipient(answer, { random }, candidate.path, context, tools.classify);
    return { ...judged, random, host: host.name, egress: egress.id };
  }

  /** Queues a recipient at the next host that can be asked, or gives its outcome. */
  private enroll(candidate: Candidate): void {
    const { host, findings } = candidate;
    if (host === null || findings.settled || this.egressBroken || this.setting.deadline.expired) {
      return this.settle(candidate);
    }
    const desk = this.deskOf(host);
    if (this.isOffLimits(desk, candidate.domain)) {
      this.considerAll(desk, [candidate], DO_NOT_PROBE);
    } else if (!this.isTurnedAway(desk, candidate)) {
      desk.postmasterOf(candidate.domain).expect(candidate);
      desk.add(candidate);
    }
  }

  /** True when known facts rule out asking this host about it; it then moves on. */
  private isTurnedAway(desk: HostQueue, asked: Asked): boolean {
    if (this.fullGroups.has(desk.group)) {
      this.skip(desk, [asked], (candidate) => candidate.findings.noteFull());
      return true;
    }
    const known = this.knownAnswer(desk, asked);
    if (known !== null) this.considerAll(desk, [asked], known);
    return known !== null;
  }

  private knownAnswer(desk: HostQueue, { domain, utf8 }: Asked): JudgedAnswer | null {
    const leftAlone = desk.leftAlone.has(domain) || this.leftAlone.has(`${desk.group} ${domain}`);
    if (leftAlone) return silent('none', 'backed_off');
    if (desk.failure !== null) return desk.failure;
    return utf8 ? desk.utf8Failure : null;
  }

  private settle(candidate: Candidate): void {
    candidate.done = true;
    this.left -= 1;
    this.setting.onOutcome(candidate.index, candidate.findings.outcome(this.setting.deadline));
  }

  private deskOf(host: MailHost): HostQueue {
    const known = this.desks.get(host.name);
    if (known !== undefined) return known;
    const desk = new HostQueue(host, this.setting.tools.findProvider(host.name));
    this.desks.set(host.name, desk);
    return desk;
  }
}

/** True when `stage` is at or after `than`. */
function isFurther(stage: SmtpStage, than: SmtpStage): boolean {
  return SMTP_STAGES.indexOf(stage) >= SMTP_STAGES.indexOf(than);
}

interface Circumstances {
  readonly random: ProbeFacts['random'];
  readonly witness?: WitnessFinding;
  readonly leave: ConnectionPermit | null;
}

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

/** Refusals of us in a row, in answer to recipients of a domain, before it is left alone; as politeness has it. */
const REFUSALS_IN_ROW = 3;

export interface RecipientSchedulerSetting {
  readonly tools: ProbeTools;
  readonly egress: Egress;
  readonly deadline: Deadline;
  readonly onOutcome: BulkProbeRequest['onOutcome'];
  readonly note: Note;
}

/**
 * The searches of many recipients from one egress: who waits at which mail host, and what each has found. Each goes from
 * host to host as a single check does, and its outcome is given when it ends.
 */
export class RecipientScheduler {
  readonly randoms: RandomRecipients;
  readonly witnesses: Witnesses;
  private readonly candidates: Candidate[] = [];
  private readonly desks = new Map<string, HostQueue>();
  private readonly order = new SharedOrder();
  /** `group domain`: backed off there. */
  private readonly leftAlone = new Set<string>();
  private readonly fullGroups = new Set<string>();
  /** Our limits leave no room for another connection beside those that lanes hold. */
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

  /** True when nobody needs to be asked any more, or nobody can be. */
  get over(): boolean {
    return this.left === 0 || this.egressBroken || this.setting.deadline.expired;
  }

  get hosts(): Iterable<HostQueue> {
    return this.desks.values();
  }

  /** Who waits to be asked, at all hosts together. */
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

  /** There is work at the host for a lane more. */
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

  /** Everybody that is still under way gets the outcome of what was found. */
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
   * A recipient's answer is known. One that was accepted waits for what the random recipient shows, a refusal that proves
   * nothing for what becomes of others.
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

  /** The answer about a recipient that was asked about for others. */
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

  /** Stands in line for a session that begins with it, where accepted recipients wait for it. */
  askAgainWhereWanted(desk: HostQueue, random: RandomProbe): void {
    if (!random.isWanted) return;
    if (desk.failure === null && !this.over) return desk.suspect(random);
    random.giveUp();
    this.judgeAccepted(desk, random);
  }

  /** These were not asked about after all, or are to be asked again: before the others, where the host is asked still. */
  putBack(desk: HostQueue, asked: readonly Asked[]): void {
    const meant = asked.filter((one) => !this.isTurnedAway(desk, one));
    desk.putBack(meant);
  }

  /** A session has ended at it: it begins the next one. */
  suspect(desk: HostQueue, candidate: Candidate): void {
    if (!this.isTurnedAway(desk, candidate)) desk.suspect(candidate);
  }

  /** The host gave this for an answer before anybody could be asked about, or to everybody: it is not asked any more. */
  failHost(desk: HostQueue, failure: JudgedAnswer): void {
    desk.failure = failure;
    this.sendOn(desk, () => true, failure);
    this.giveUpSideProbes(desk);
  }

  /** The host gave this for an answer to the need for SMTPUTF8. */
  failUtf8(desk: HostQueue, failure: JudgedAnswer): void {
    desk.utf8Failure = failure;
    this.sendOn(desk, ({ utf8 }) => utf8, failure);
  }

  /** These are found to have got this from the host, and go on to the next one. */
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

  /** A domain is not asked about at hosts of the group for the rest of the run. */
  leaveAlone(group: string, domain: string): void {
    this.leftAlone.add(`${group} ${domain}`);
    for (const desk of this.desks.values()) {
      if (desk.group === group) this.sendOn(desk, (asked) => asked.domain === domain, silent('none', 'backed_off'));
    }
  }

  /** The domain is not asked about at this host: one of them is on the do-not-probe list. */
  spare(desk: HostQueue, domain: string): void {
    this.setting.note(`${desk.host.name} is not asked about ${domain}: it is on the do-not-probe list.`);
    this.sendOn(desk, (asked) => asked.domain === domain, DO_NOT_PROBE);
  }

  /** Our own limits towards the group are full. */
  markGroupFull(group: string): void {
    this.fullGroups.add(group);
    this.setting.note(`Hosts of ${group} are asked no more: our own limits for them are full.`);
    for (const desk of this.desks.values()) {
      if (desk.group === group) this.skipAll(desk, (candidate) => candidate.findings.noteFull());
    }
  }

  /** No further connection to the group is to be had until one is given back. */
  markGroupCrowded(group: string): void {
    this.crowdedGroups.add(group);
  }

  clearGroupCrowded(group: string): void {
    this.crowdedGroups.delete(group);
  }

  /** The host could not be asked for a fault on our side. @param forAll it is one for every host */
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

  /** It will not be asked about any more. */
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
    // Whether other hosts of its group are asked about the domain is up to politeness.
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

  /** Puts a recipient in line at the next host that can be asked, or gives its outcome. */
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

  /** What is known by now keeps it from being asked about at this host: then it has been sent on. */
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

/** At least as far. */
function isFurther(stage: SmtpStage, than: SmtpStage): boolean {
  return SMTP_STAGES.indexOf(stage) >= SMTP_STAGES.indexOf(than);
}

interface Circumstances {
  readonly random: ProbeFacts['random'];
  readonly witness?: WitnessFinding;
  readonly leave: ConnectionPermit | null;
}

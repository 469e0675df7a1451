import type { Socket } from 'node:net';
import type { MailHost } from '../dns/mail-hosts.js';
import { furtherAnswer, isPositive, type Answer } from './answer.js';
import type { AcceptedAt } from './accepted-recipients.js';
import { askWitness } from './ask-witness.js';
import { beginSession } from './begin-session.js';
import { connectToHost, type ConnectPlan, type HostConnection } from './connect-host.js';
import { converse, FIRST_MANNER, type DialogueReport, type Manner } from './dialogue.js';
import type { Egress } from './egress.js';
import { GroupLeases } from './group-leases.js';
import { judgeRandom, wasSessionUsedUp } from './judge-random.js';
import {
  DO_NOT_PROBE,
  judgeRecipient,
  silent,
  witnessNeedOf,
  withoutSmtpUtf8Facts,
  type Classify,
  type JudgedAnswer,
  type SessionContext,
} from './judge-recipient.js';
import { noteTo, type Note } from './note.js';
import { isOffLimits, mayConnect } from './off-limits.js';
import type { ProbeTools } from './probe-tools.js';
import type { ProbeFacts, ProbeOutcome, ProbeRequest } from './prober.js';
import type { MailProvider } from './provider.js';
import { SMTP_STAGES, type SmtpStage } from './reply.js';
import { mannerOfRetry } from './retry-manner.js';
import { SearchFindings } from './search-findings.js';
import type { SmtpSession } from './session.js';
import { stepBudgetMs, stepLimitMs } from './step-budget.js';
import { isPostmaster, type WitnessFinding } from './witness.js';

/** The mail host being asked. */
interface Visit {
  readonly host: MailHost;
  readonly provider: MailProvider | null;
  readonly othersWait: boolean;
}

/** A finished session. */
interface FinishedSession {
  readonly manner: Manner;
  readonly report: DialogueReport;
  readonly context: SessionContext;
  /** Set if the answer about the recipient needed a witness. */
  readonly witness: WitnessFinding | undefined;
}

/**
 * Probes the mail hosts of one check in turn until one answers about the recipient, within one deadline. One session
 * per host that accepts us, plus one retry on a fresh connection in the whole check (decisions 6.10); the random
 * recipient may get its own session, which does not ask about the address.
 */
export class HostSearch {
  private readonly note: Note;
  private readonly leases: GroupLeases;
  private readonly realPath: string;
  private readonly randomPath: string;
  private readonly findings = new SearchFindings();
  private egressBroken = false;
  private retryLeft = true;
  private furthest: SmtpStage = 'none';

  constructor(
    private readonly tools: ProbeTools,
    private readonly request: ProbeRequest,
    private readonly egress: Egress,
  ) {
    const { address, randomRecipient, deadline, patienceMs, requester, trace } = request;
    this.note = noteTo(trace);
    this.realPath = `${address.localPart}@${address.domain}`;
    this.randomPath = `${tools.randomLocalPart()}@${address.domain}`;
    const recipients = randomRecipient ? 2 : 1;
    const { domain } = address;
    const asking = { domain, egressId: egress.id, recipients, deadline, patienceMs, requester };
    this.leases = new GroupLeases(tools.politeness, asking);
  }

  async probeHosts(): Promise<ProbeOutcome> {
    const { hosts, deadline } = this.request;
    try {
      for (const [position, host] of hosts.entries()) {
        if (position > 0) this.note('Trying the next mail host.');
        const othersWait = position < hosts.length - 1;
        await this.visit({ host, provider: this.tools.findProvider(host.name), othersWait });
        if (deadline.expired || this.egressBroken || this.findings.settled) break;
      }
      return this.findings.outcome(deadline);
    } finally {
      this.leases.release();
    }
  }

  private async visit(visit: Visit): Promise<void> {
    // Before the permit: full limits or a back-off do not matter for a host that is never asked.
    if (this.isOffLimits(visit)) return this.leaveAlone(visit);
    const leave = await this.leases.acquire(visit.host.name, visit.provider);
    if (leave === 'full') {
      this.findings.noteFull();
      this.note(`${visit.host.name} is not asked: our own limits for it are full.`);
    } else if (leave === 'backed_off') {
      this.note(`${visit.host.name} refused us lately and is left alone for now.`);
      this.consider(visit, silent('none', 'backed_off'), 'not_asked');
    } else {
      const connection = await this.connect(visit);
      if (connection.kind === 'connected') await this.askHost(visit, connection);
      else this.noteFailure(visit, connection);
    }
  }

  /** True if the recipient's domain, the host or all its addresses are on the do-not-probe list (decisions 6.6). */
  private isOffLimits({ host }: Visit): boolean {
    const { tools, request, egress } = this;
    return isOffLimits(tools.doNotProbe, request.address.domain, { host, egress });
  }

  private leaveAlone(visit: Visit): void {
    this.note(`${visit.host.name} is not asked: it is on the do-not-probe list.`);
    this.consider(visit, DO_NOT_PROBE, 'not_asked');
  }

  private noteFailure(visit: Visit, failure: HostConnection & { kind: 'failed' }): void {
    // The list may have changed while we waited for the permit.
    if (this.isOffLimits(visit)) return this.leaveAlone(visit);
    if (failure.theirs) this.consider(visit, silent('connect', 'no_connection'), 'not_asked');
    if (failure.ours === null) return;
    this.findings.noteFault(`our egress ${this.egress.id} failed: ${failure.ours}`);
    // A missing route may concern this one host; a broken proxy or source address concerns all.
    this.egressBroken = failure.ours !== 'unreachable';
  }

  /** Holds one session, and the retry if it may say more. */
  private async askHost(visit: Visit, connection: HostConnection & { kind: 'connected' }): Promise<void> {
    // Further sessions with this host use the address that accepted us.
    const here: Visit = { ...visit, host: { ...visit.host, addresses: [connection.address] } };
    const recipients = this.asksRandomTogether(visit) ? [this.realPath, this.randomPath] : [this.realPath];
    const first = await this.holdSession(here, connection.socket, FIRST_MANNER, recipients);
    await this.judge(here, await this.retryOnce(here, first, recipients));
  }

  /** The session to judge: the first one, or its retry if that came at least as far. */
  private async retryOnce(
    visit: Visit,
    first: FinishedSession,
    recipients: readonly string[],
  ): Promise<FinishedSession> {
    const manner = this.retryLeft ? mannerOfRetry(first.manner, first.report) : null;
    if (manner === null || this.request.deadline.expired) return first;
    this.retryLeft = false;
    this.note('The session got out of step: asking once more on a fresh connection.');
    const fresh = await this.connect(visit);
    if (fresh.kind === 'failed') return first;
    const second = await this.holdSession(visit, fresh.socket, manner, recipients);
    const [before, after] = [first.report.answers[0], second.report.answers[0]];
    return before === undefined || after === undefined || furtherAnswer(after, before) === after ? second : first;
  }

  private async judge(visit: Visit, session: FinishedSession): Promise<void> {
    const [real] = session.report.answers;
    if (session.report.smtpUtf8Missing) return this.consider(visit, withoutSmtpUtf8Facts(session.report), 'not_asked');
    if (real === undefined) return;
    const random = await this.judgeRandom(visit, session, real);
    this.rememberAccepted(visit, real, random);
    const beside = { random, witness: session.witness };
    const judged = judgeRecipient(real, beside, this.realPath, session.context, this.tools.classify);
    this.consider(visit, judged, random);
  }

  private async judgeRandom(visit: Visit, session: FinishedSession, real: Answer): Promise<ProbeFacts['random']> {
    if (!this.asksRandom(visit) || real.stage !== 'rcpt') return 'not_asked';
    const answer = session.report.answers[1];
    const judged = answer === undefined ? null : this.classifyRandom(answer, session.context);
    const unjudged = answer === undefined || wasSessionUsedUp(answer, judged);
    // A random recipient changes nothing for an address that was not accepted: not worth a session.
    if (!unjudged || !isPositive(real))
      return answer === undefined ? 'not_asked' : judgeRandom(answer, judged, isPositive(real));
    if (this.request.deadline.expired) return 'inconclusive';
    this.note('Asking about a random mailbox in a session of its own.');
    const alone: Visit = { ...visit, othersWait: false };
    const fresh = await this.connect(alone);
    if (fresh.kind === 'failed') return 'inconclusive';
    const second = await this.holdSession(alone, fresh.socket, session.manner, [this.randomPath]);
    const [answerAlone] = second.report.answers;
    if (answerAlone === undefined) return 'inconclusive';
    return judgeRandom(answerAlone, this.classifyRandom(answerAlone, second.context), true);
  }

  private classifyRandom(answer: Answer, context: SessionContext): ReturnType<Classify> | null {
    if (answer.kind !== 'reply') return null;
    return this.tools.classify(answer.reply, { ...context, stage: answer.stage, recipient: this.randomPath });
  }

  private asksRandom(visit: Visit): boolean {
    return this.request.randomRecipient && (visit.provider?.randomProbeMeaningful ?? true);
  }

  private asksRandomTogether(visit: Visit): boolean {
    return this.asksRandom(visit) && (visit.provider?.recipientsPerSession ?? 2) > 1;
  }

  private connect(visit: Visit): Promise<HostConnection> {
    return connectToHost(this.planFor(visit));
  }

  private planFor({ host, othersWait }: Visit): ConnectPlan {
    const { doNotProbe, port } = this.tools;
    const { address, deadline } = this.request;
    return {
      host,
      egress: this.egress,
      port,
      othersWait,
      mayConnect: (ip) => mayConnect(doNotProbe, address.domain, host, ip),
      budgetMs: () => this.budgetMs('connect', othersWait),
      signal: deadline.signal,
      note: this.note,
      onDenied: () => this.reportStage('connect'),
    };
  }

  /** Holds a whole session on a connected socket, and always closes it. */
  private async holdSession(
    visit: Visit,
    socket: Socket,
    manner: Manner,
    recipients: readonly string[],
  ): Promise<FinishedSession> {
    const { egress, note } = this;
    const { deadline, trace, address } = this.request;
    const { session, context } = beginSession(socket, {
      host: visit.host.name,
      provider: visit.provider,
      egress,
      signal: deadline.signal,
      limit: (stage) => {
        this.reportStage(stage);
        return this.budgetMs(stage, visit.othersWait);
      },
      trace,
    });
    try {
      const report = await converse(session, { manner, recipients, needsSmtpUtf8: address.internationalized }, note);
      const isReal = recipients[0] === this.realPath;
      const witness = isReal ? await this.witnessOf(visit, session, { manner, report, context }) : undefined;
      return { manner, report, context, witness };
    } finally {
      session.close();
    }
  }

  /** Asks about another recipient while the session is open, if the refusal of this one needs a witness. */
  private async witnessOf(
    visit: Visit,
    session: SmtpSession,
    { manner, report, context }: Omit<FinishedSession, 'witness'>,
  ): Promise<WitnessFinding | undefined> {
    const [answer, random] = report.answers;
    const willRetry = this.retryLeft && mannerOfRetry(manner, report) !== null;
    if (answer === undefined || report.smtpUtf8Missing || willRetry) return undefined;
    const recipient = this.realPath;
    if (witnessNeedOf(answer, recipient, context, this.tools.classify) === null) return undefined;
    const { host, provider } = visit;
    const refused = { answer, recipient, random, at: this.acceptedAt(visit), provider, session, context };
    return askWitness(refused, {
      acceptedRecipients: this.tools.acceptedRecipients,
      note: this.note,
      mayAskOneMore: () => this.leases.acquireOneMore(host.name, provider),
    });
  }

  private rememberAccepted(visit: Visit, real: Answer, random: ProbeFacts['random']): void {
    const isAccepted = real.stage === 'rcpt' && isPositive(real) && !isPostmaster(this.realPath);
    if (isAccepted || random === 'accepted') this.tools.acceptedRecipients.note(this.acceptedAt(visit));
  }

  private acceptedAt({ host }: Visit): AcceptedAt {
    return { domain: this.request.address.domain, host: host.name, egressId: this.egress.id };
  }

  private budgetMs(stage: SmtpStage, othersWait: boolean): number {
    return stepBudgetMs(stepLimitMs(this.tools, stage), this.request.deadline.remainingMs(), othersWait);
  }

  private reportStage(stage: SmtpStage): void {
    if (SMTP_STAGES.indexOf(stage) <= SMTP_STAGES.indexOf(this.furthest)) return;
    this.furthest = stage;
    this.request.onStage?.(stage);
  }

  private consider(visit: Visit, judged: JudgedAnswer, random: ProbeFacts['random']): void {
    const facts: ProbeFacts = { ...judged, random, host: visit.host.name, egress: this.egress.id };
    this.leases.record(visit.host.name, visit.provider, facts);
    this.findings.consider(facts);
  }
}

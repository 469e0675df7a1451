import type { Socket } from 'node:net';
import type { MailHost } from '../dns/mail-hosts.js';
import { furtherAnswer, isPositive, type Answer } from './answer.js';
import type { AcceptedAt } from './accepted-recipients.js';
import { askWitness } from './ask-witness.js';
import type { HostConnection } from './connect-host.js';
import {
  converse,
  DEFAULT_SESSION_OPTIONS,
  sentRecipients,
  type DialogueReport,
  type SessionOptions,
} from './dialogue.js';
import type { Egress } from './egress.js';
import { GroupPermits } from './group-permits.js';
import { HostDialer } from './host-dialer.js';
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
import { isOffLimits } from './off-limits.js';
import type { ProbeTools } from './probe-tools.js';
import type { ProbeFacts, ProbeOutcome, ProbeRequest } from './prober.js';
import type { MailProvider } from './provider.js';
import { isLater, type SmtpStage } from './reply.js';
import { retryOptions } from './retry-options.js';
import { SearchFindings } from './search-findings.js';
import type { SmtpSession } from './session.js';
import { isPostmaster, type WitnessFinding } from './witness.js';

/** The mail host being asked. */
interface TargetHost {
  readonly host: MailHost;
  readonly provider: MailProvider | null;
  readonly othersWait: boolean;
}

/** A finished session. */
interface FinishedSession {
  readonly sessionOptions: SessionOptions;
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
  private readonly permits: GroupPermits;
  private readonly dialer: HostDialer;
  private readonly realPath: string;
  private readonly findings = new SearchFindings();
  private drawnPath: string | null = null;
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
    const recipients = randomRecipient ? 2 : 1;
    const { domain } = address;
    const asking = { domain, egressId: egress.id, recipients, deadline, patienceMs, requester };
    this.permits = new GroupPermits(tools.politeness, asking);
    const onStage = (stage: SmtpStage): void => this.reportStage(stage);
    this.dialer = new HostDialer({ tools, egress, deadline, trace, note: this.note, onStage });
  }

  async probeHosts(): Promise<ProbeOutcome> {
    const { hosts, deadline } = this.request;
    try {
      for (const [position, host] of hosts.entries()) {
        if (position > 0) this.note('Trying the next mail host.');
        const othersWait = position < hosts.length - 1;
        await this.target({ host, provider: this.tools.findProvider(host.name), othersWait });
        if (deadline.expired || this.egressBroken || this.findings.settled) break;
      }
      return this.findings.outcome(deadline);
    } finally {
      this.permits.release();
    }
  }

  private async target(target: TargetHost): Promise<void> {
    // Before the permit: full limits or a back-off do not matter for a host that is never asked.
    if (this.isOffLimits(target)) return this.leaveAlone(target);
    const permit = await this.permits.acquire(target.host.name, target.provider);
    if (permit === 'full') {
      this.findings.noteFull();
      this.note(`${target.host.name} is not asked: our own limits for it are full.`);
    } else if (permit === 'backed_off') {
      this.note(`${target.host.name} refused us lately and is left alone for now.`);
      this.consider(target, silent('none', 'backed_off'), 'not_asked');
    } else {
      const connection = await this.connect(target);
      if (connection.kind === 'connected') await this.askHost(target, connection);
      else this.noteFailure(target, connection);
    }
  }

  /** True if the recipient's domain, the host or all its addresses are on the do-not-probe list (decisions 6.6). */
  private isOffLimits({ host }: TargetHost): boolean {
    const { tools, request, egress } = this;
    return isOffLimits(tools.doNotProbe, request.address.domain, { host, egress });
  }

  private leaveAlone(target: TargetHost): void {
    this.note(`${target.host.name} is not asked: it is on the do-not-probe list.`);
    this.consider(target, DO_NOT_PROBE, 'not_asked');
  }

  private noteFailure(target: TargetHost, failure: HostConnection & { kind: 'failed' }): void {
    // The list may have changed while we waited for the permit.
    if (this.isOffLimits(target)) return this.leaveAlone(target);
    if (failure.theirs) this.consider(target, silent('connect', 'no_connection'), 'not_asked');
    if (failure.ours === null) return;
    this.findings.noteFault(`our egress ${this.egress.id} failed: ${failure.ours}`);
    // A missing route may concern this one host; a broken proxy or source address concerns all.
    this.egressBroken = failure.ours !== 'unreachable';
  }

  /** Holds one session, and the retry if it may say more. */
  private async askHost(target: TargetHost, connection: HostConnection & { kind: 'connected' }): Promise<void> {
    // Further sessions with this host use the address that accepted us.
    const { name, preference } = target.host;
    const here: TargetHost = {
      host: { name, preference, addresses: [connection.address] },
      provider: target.provider,
      othersWait: target.othersWait,
    };
    const recipients = this.asksRandomTogether(target) ? [this.realPath, this.randomPath] : [this.realPath];
    const first = await this.holdSession(here, connection.socket, DEFAULT_SESSION_OPTIONS, recipients);
    await this.judge(here, await this.retryOnce(here, first, recipients));
  }

  /** The session to judge: the first one, or its retry if that came at least as far. */
  private async retryOnce(
    target: TargetHost,
    first: FinishedSession,
    recipients: readonly string[],
  ): Promise<FinishedSession> {
    const sessionOptions = this.retryLeft ? retryOptions(first.sessionOptions, first.report) : null;
    if (sessionOptions === null || this.request.deadline.expired) return first;
    this.retryLeft = false;
    this.note('The session got out of step: asking once more on a fresh connection.');
    const fresh = await this.connect(target);
    if (fresh.kind === 'failed') return first;
    const second = await this.holdSession(target, fresh.socket, sessionOptions, recipients);
    const [before, after] = [first.report.answers[0], second.report.answers[0]];
    return before === undefined || after === undefined || furtherAnswer(after, before) === after ? second : first;
  }

  private async judge(target: TargetHost, session: FinishedSession): Promise<void> {
    const [real] = session.report.answers;
    if (session.report.smtpUtf8Missing) return this.consider(target, withoutSmtpUtf8Facts(session.report), 'not_asked');
    if (real === undefined) return;
    const random = await this.judgeRandom(target, session, real);
    this.rememberAccepted(target, real, random);
    const beside = { random, witness: session.witness };
    const judged = judgeRecipient(real, beside, this.realPath, session.context, this.tools.classify);
    this.consider(target, judged, random);
  }

  private async judgeRandom(target: TargetHost, session: FinishedSession, real: Answer): Promise<ProbeFacts['random']> {
    if (!this.asksRandom(target) || real.stage !== 'rcpt') return 'not_asked';
    const answer = session.report.answers[1];
    const judged = answer === undefined ? null : this.classifyRandom(answer, session.context);
    const unjudged = answer === undefined || wasSessionUsedUp(answer, judged);
    // A random recipient changes nothing for an address that was not accepted: not worth a session.
    if (!unjudged || !isPositive(real))
      return answer === undefined ? 'not_asked' : judgeRandom(answer, judged, isPositive(real));
    if (this.request.deadline.expired) return 'inconclusive';
    this.note('Asking about a random mailbox in a session of its own.');
    const alone: TargetHost = { ...target, othersWait: false };
    const fresh = await this.connect(alone);
    if (fresh.kind === 'failed') return 'inconclusive';
    const second = await this.holdSession(alone, fresh.socket, session.sessionOptions, [this.randomPath]);
    const [answerAlone] = second.report.answers;
    if (answerAlone === undefined) return 'inconclusive';
    return judgeRandom(answerAlone, this.classifyRandom(answerAlone, second.context), true);
  }

  private classifyRandom(answer: Answer, context: SessionContext): ReturnType<Classify> | null {
    if (answer.kind !== 'reply') return null;
    return this.tools.classify(answer.reply, { stage: answer.stage, recipient: this.randomPath, ...context });
  }

  /** Drawn once, and only for a check that asks about it. */
  private get randomPath(): string {
    return (this.drawnPath ??= `${this.tools.randomLocalPart()}@${this.request.address.domain}`);
  }

  private asksRandom(target: TargetHost): boolean {
    return this.request.randomRecipient && (target.provider?.randomProbeMeaningful ?? true);
  }

  private asksRandomTogether(target: TargetHost): boolean {
    return this.asksRandom(target) && (target.provider?.recipientsPerSession ?? 2) > 1;
  }

  private connect({ host, othersWait }: TargetHost): Promise<HostConnection> {
    return this.dialer.connect(host, this.request.address.domain, othersWait);
  }

  /** Holds a whole session on a connected socket, and always closes it. */
  private async holdSession(
    target: TargetHost,
    socket: Socket,
    sessionOptions: SessionOptions,
    recipients: readonly string[],
  ): Promise<FinishedSession> {
    const { host, provider, othersWait } = target;
    const { session, context } = this.dialer.beginSession(socket, host, provider, () => othersWait);
    try {
      const needsSmtpUtf8 = this.request.address.internationalized;
      const report = await converse(session, { sessionOptions, recipients, needsSmtpUtf8 }, this.note);
      if (sentRecipients(report)) this.permits.countAsked(host.name, provider, recipients.length);
      const isReal = recipients[0] === this.realPath;
      const witness = isReal ? await this.witnessOf(target, session, { sessionOptions, report, context }) : undefined;
      return { sessionOptions, report, context, witness };
    } finally {
      session.close();
    }
  }

  /** Asks about another recipient while the session is open, if the refusal of this one needs a witness. */
  private async witnessOf(
    target: TargetHost,
    session: SmtpSession,
    { sessionOptions, report, context }: Omit<FinishedSession, 'witness'>,
  ): Promise<WitnessFinding | undefined> {
    const [answer, random] = report.answers;
    const willRetry = this.retryLeft && retryOptions(sessionOptions, report) !== null;
    if (answer === undefined || report.smtpUtf8Missing || willRetry) return undefined;
    const recipient = this.realPath;
    if (witnessNeedOf(answer, recipient, context, this.tools.classify) === null) return undefined;
    const { host, provider } = target;
    const refused = { answer, recipient, random, at: this.acceptedAt(target), provider, session, context };
    return askWitness(refused, {
      acceptedRecipients: this.tools.acceptedRecipients,
      note: this.note,
      mayAskOneMore: () => this.permits.acquireOneMore(host.name, provider),
    });
  }

  private rememberAccepted(target: TargetHost, real: Answer, random: ProbeFacts['random']): void {
    const isAccepted = real.stage === 'rcpt' && isPositive(real) && !isPostmaster(this.realPath);
    if (isAccepted || random === 'accepted') this.tools.acceptedRecipients.note(this.acceptedAt(target));
  }

  private acceptedAt({ host }: TargetHost): AcceptedAt {
    return { domain: this.request.address.domain, host: host.name, egressId: this.egress.id };
  }

  private reportStage(stage: SmtpStage): void {
    if (!isLater(stage, this.furthest)) return;
    this.furthest = stage;
    this.request.onStage?.(stage);
  }

  private consider(target: TargetHost, judged: JudgedAnswer, random: ProbeFacts['random']): void {
    // The spread comes last: V8 takes several times as long for properties that follow one.
    const facts: ProbeFacts = { random, host: target.host.name, egress: this.egress.id, ...judged };
    this.permits.record(target.host.name, target.provider, facts);
    this.findings.consider(facts);
  }
}

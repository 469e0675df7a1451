import type { Socket } from 'node:net';
import type { Deadline } from '../deadline.js';
import type { MailHost } from '../dns/mail-hosts.js';
import type { Trace } from '../trace.js';
import { connectToHost, type HostConnection } from './connect-host.js';
import { SmtpConnection } from './connection.js';
import type { Egress } from './egress.js';
import type { SessionContext } from './judge-recipient.js';
import type { Note } from './note.js';
import { mayConnect } from './off-limits.js';
import type { ProbeTools } from './probe-tools.js';
import type { MailProvider } from './provider.js';
import type { SmtpStage } from './reply.js';
import { SmtpSession } from './session.js';
import { stepBudgetMs, stepLimitMs } from './step-budget.js';

export interface HostDialerSetting {
  readonly tools: ProbeTools;
  readonly egress: Egress;
  /** Ends every wait. */
  readonly deadline: Deadline;
  readonly trace: Trace | undefined;
  readonly note: Note;
  /** Called at the beginning of each step, and when an address refuses the connection. */
  readonly onStage?: (stage: SmtpStage) => void;
}

/** Connects to mail hosts from one egress and begins sessions with them, each step within its own limit and the deadline. */
export class HostDialer {
  constructor(private readonly setting: HostDialerSetting) {}

  /** @param domain of the recipients: its do-not-probe entry, too, forbids the connection */
  connect(host: MailHost, domain: string, othersWait: boolean): Promise<HostConnection> {
    const { tools, egress, deadline, note, onStage } = this.setting;
    return connectToHost({
      host,
      egress,
      port: tools.port,
      othersWait,
      mayConnect: (ip) => mayConnect(tools.doNotProbe, domain, host, ip),
      budgetMs: () => this.budgetMs('connect', othersWait),
      signal: deadline.signal,
      note,
      onDenied: () => onStage?.('connect'),
    });
  }

  /**
   * Starts a session on a connected socket, which the session owns from now on.
   * @param othersWait asked at each step: whether the recipient it concerns may still be asked about at another host
   * @returns the session and its context for the classifier
   */
  beginSession(
    socket: Socket,
    { name }: MailHost,
    provider: MailProvider | null,
    othersWait: () => boolean,
  ): { readonly session: SmtpSession; readonly context: SessionContext } {
    const { egress, deadline, trace, onStage } = this.setting;
    const session = new SmtpSession(
      new SmtpConnection(socket, name, deadline.signal, trace),
      egress,
      (stage, unheard) => {
        onStage?.(stage);
        return this.budgetMs(stage, othersWait(), unheard);
      },
    );
    const ownNames = [egress.heloName, egress.mailFrom, socket.localAddress ?? ''].filter((own) => own !== '');
    return { session, context: { ownNames, provider: provider?.id ?? null } };
  }

  private budgetMs(stage: SmtpStage, othersWait: boolean, unheard = 0): number {
    const { tools, deadline } = this.setting;
    return stepBudgetMs(stepLimitMs(tools, stage, unheard), deadline.remainingMs(), othersWait);
  }
}

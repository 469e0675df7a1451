import type { Deadline } from '../../deadline.js';
import type { Egress } from '../egress.js';
import type { PolitenessAnswer, PolitenessRequest } from '../politeness.js';
import type { ProbeTools } from '../probe-tools.js';
import type { Envelope, HostQueue } from './host-queue.js';

export interface PermitRequestsSetting {
  readonly tools: ProbeTools;
  readonly egress: Egress;
  readonly deadline: Deadline;
  readonly patienceMs: number | undefined;
  readonly requester: string | undefined;
}

/** Asks politeness for the permits of one connection. */
export class PermitRequests {
  private waiting: Deadline | null = null;
  private cancelled = false;

  constructor(private readonly setting: PermitRequestsSetting) {}

  /**
   * Waits for the permit of a new connection.
   * @returns null when the wait was cancelled
   */
  async forConnection(queue: HostQueue, envelope: Envelope, recipients: number): Promise<PolitenessAnswer | null> {
    const { patienceMs } = this.setting;
    const deadline = this.setting.deadline.part();
    this.waiting = deadline;
    try {
      const answer = await this.ask(queue, envelope, { recipients, deadline, patienceMs });
      return answer.kind === 'full' && this.cancelled ? null : answer;
    } finally {
      this.waiting = null;
      this.cancelled = false;
      deadline.release();
    }
  }

  /** Asks for further recipients on the open connection. */
  forBatch(queue: HostQueue, envelope: Envelope, recipients: number): Promise<PolitenessAnswer> {
    return this.ask(queue, envelope, { recipients, deadline: this.setting.deadline, connected: true });
  }

  /** Cancels the wait for a connection's permit, if any. */
  cancel(): void {
    if (this.waiting === null) return;
    this.cancelled = true;
    this.waiting.cancel();
  }

  private ask(
    { group, provider }: HostQueue,
    { domain }: Envelope,
    more: Pick<PolitenessRequest, 'recipients' | 'deadline' | 'patienceMs' | 'connected'>,
  ): Promise<PolitenessAnswer> {
    const { tools, egress, requester } = this.setting;
    return tools.politeness.acquire({ group, provider, domain, egressId: egress.id, requester, ...more });
  }
}

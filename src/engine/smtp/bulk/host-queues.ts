import type { MailHost } from '../../dns/mail-hosts.js';
import type { Egress } from '../egress.js';
import { silent, type JudgedAnswer } from '../judge-recipient.js';
import { isOffLimits } from '../off-limits.js';
import type { ProbeTools } from '../probe-tools.js';
import type { FirstBatches } from './first-batches.js';
import { GroupLimits } from './group-limits.js';
import { HostQueue, type BatchRecipient } from './host-queue.js';
import { SharedOrder } from './shared-order.js';

/** The mail hosts of a run: how many connections they want, and what is known of them without asking. */
export class HostQueues {
  readonly groups = new GroupLimits();
  readonly order = new SharedOrder();
  private readonly queues = new Map<string, HostQueue>();

  constructor(
    private readonly setting: {
      readonly tools: ProbeTools;
      readonly egress: Egress;
      readonly list: FirstBatches;
    },
  ) {}

  [Symbol.iterator](): Iterator<HostQueue> {
    return this.queues.values();
  }

  at(host: MailHost): HostQueue {
    const known = this.queues.get(host.name);
    if (known !== undefined) return known;
    const { tools, list } = this.setting;
    const queue = new HostQueue(host, tools.findProvider(host.name), list);
    this.queues.set(host.name, queue);
    return queue;
  }

  ofGroup(group: string): readonly HostQueue[] {
    return [...this.queues.values()].filter((queue) => queue.group === group);
  }

  /** Recipients that wait, at all hosts together. */
  get waiting(): number {
    let waiting = 0;
    for (const queue of this) waiting += queue.waiting;
    return waiting;
  }

  get wantedConnections(): number {
    let wanted = 0;
    for (const queue of this) wanted += this.wantsConnection(queue) ? queue.wantedConnections : queue.connections;
    return wanted;
  }

  /** True when the host has work for one more connection. */
  wantsConnection(queue: HostQueue): boolean {
    return queue.connections < queue.wantedConnections && !this.groups.isCrowded(queue);
  }

  /** True when the domain, the host or all its addresses are on the do-not-probe list (decisions 6.6). */
  isOffLimits({ host }: HostQueue, domain: string): boolean {
    const { tools, egress } = this.setting;
    return isOffLimits(tools.doNotProbe, domain, { host, egress });
  }

  /** The host's answer about the recipient, if it is known without asking. */
  knownAnswer(queue: HostQueue, { domain, utf8 }: BatchRecipient): JudgedAnswer | null {
    if (queue.backedOff.has(domain) || this.groups.isBackedOff(queue, domain)) return silent('none', 'backed_off');
    if (queue.failure !== null) return queue.failure;
    return utf8 ? queue.utf8Failure : null;
  }
}

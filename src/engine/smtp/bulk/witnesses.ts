import type { Egress } from '../egress.js';
import { witnessNeedOf } from '../judge-recipient.js';
import type { Note } from '../note.js';
import type { ProbeTools } from '../probe-tools.js';
import type { WitnessFinding } from '../witness.js';
import type { Candidate, HeldAnswer, ReceivedAnswer } from './candidate.js';
import type { BatchRecipient, HostQueue } from './host-queue.js';
import type { SessionsPermit } from '../sessions-permit.js';
import type { PostmasterProbe } from './postmaster-probe.js';

export interface WitnessesSetting {
  readonly tools: ProbeTools;
  readonly egress: Egress;
  readonly note: Note;
}

/** The scheduler's part of the witness protocol. */
export interface WitnessCallbacks {
  /** Judges a held refusal. */
  judgeRefusal(queue: HostQueue, refused: Refused, permit: SessionsPermit | null): void;
  /** True when this host cannot be asked about postmaster; the probe is then given up. */
  isNotAsked(queue: HostQueue, postmaster: PostmasterProbe): boolean;
}

/** A held refusal, and what is now known about others. */
export interface Refused extends HeldAnswer {
  readonly witness: WitnessFinding;
  /** This run has seen another recipient of the domain accepted. */
  readonly othersAccepted: boolean;
}

/** Holds ambiguous refusals until the answers about other recipients are known (decisions 6.12). */
export class Witnesses {
  constructor(
    private readonly setting: WitnessesSetting,
    private readonly scheduler: WitnessCallbacks,
  ) {}

  /** @returns true when the answer is an ambiguous refusal, which is then held */
  hold(queue: HostQueue, candidate: Candidate, received: ReceivedAnswer): boolean {
    const { classify } = this.setting.tools;
    if (witnessNeedOf(received.answer, candidate.path, received.context, classify) === null) return false;
    queue.postmasterOf(candidate.domain).hold({ candidate, received });
    return true;
  }

  /** Records that a recipient other than postmaster was accepted. */
  noteAccepted(
    queue: HostQueue,
    { domain, path }: Pick<BatchRecipient, 'domain' | 'path'>,
    permit: SessionsPermit | null,
  ): void {
    this.setting.tools.acceptedRecipients.note(this.placeOf(queue, domain));
    const postmaster = queue.postmasterOf(domain);
    postmaster.accept(path);
    this.judgeHeld(queue, postmaster, permit, 'recipient_accepted');
  }

  /** Finds a witness for held refusals: a recipient accepted before; else, or if they are many, queues the probe. */
  async seek(queue: HostQueue, domain: string, permit: SessionsPermit): Promise<void> {
    const postmaster = queue.postmasterOf(domain);
    if (!postmaster.isDue) return;
    if (!postmaster.isWorthAsking) return this.judgeHeld(queue, postmaster, permit);
    postmaster.reserve();
    if (postmaster.before === null)
      postmaster.recall(await this.setting.tools.acceptedRecipients.recall(this.placeOf(queue, domain)));
    if (!postmaster.isDue) return postmaster.forgo();
    if (postmaster.before !== null && !postmaster.isDoubtful) {
      postmaster.forgo();
      return this.judgeHeld(queue, postmaster, permit);
    }
    if (this.scheduler.isNotAsked(queue, postmaster)) return;
    this.setting.note(
      `Refusals of ${queue.host.name} do not say of whom they speak: asking about ${postmaster.path} too.`,
    );
    queue.add(postmaster);
  }

  onPostmasterAnswer(
    queue: HostQueue,
    postmaster: PostmasterProbe,
    received: ReceivedAnswer,
    permit: SessionsPermit,
  ): void {
    postmaster.onAnswer(received);
    this.judgeHeld(queue, postmaster, permit);
  }

  /** Judges held refusals without asking about postmaster. */
  giveUp(queue: HostQueue, postmaster: PostmasterProbe): void {
    postmaster.reserve();
    this.judgeHeld(queue, postmaster, null);
  }

  /** @param found the finding for all of them; else each follows from the probe's answer */
  private judgeHeld(
    queue: HostQueue,
    postmaster: PostmasterProbe,
    permit: SessionsPermit | null,
    found?: WitnessFinding,
  ): void {
    const { othersAccepted, isDoubtful } = postmaster;
    for (const refusal of postmaster.takeHeld()) {
      const witness = found ?? postmaster.findingFor(refusal, isDoubtful);
      this.scheduler.judgeRefusal(queue, { ...refusal, witness, othersAccepted }, permit);
    }
  }

  private placeOf(queue: HostQueue, domain: string) {
    return { domain, host: queue.host.name, egressId: this.setting.egress.id };
  }
}

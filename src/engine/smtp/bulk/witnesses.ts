import type { Egress } from '../egress.js';
import { witnessNeedOf } from '../judge-recipient.js';
import type { Note } from '../note.js';
import type { ProbeTools } from '../probe-tools.js';
import type { WitnessFinding } from '../witness.js';
import type { Candidate, Heard } from './candidate.js';
import type { HostQueue } from './host-queue.js';
import type { ConnectionPermit } from './connection-permit.js';
import type { PostmasterProbe } from './postmaster-probe.js';

export interface WitnessesSetting {
  readonly tools: ProbeTools;
  readonly egress: Egress;
  readonly note: Note;
}

/** The scheduler's part of the witness protocol. */
export interface WitnessCallbacks {
  /** Judges a held refusal. */
  judgeRefusal(desk: HostQueue, refused: Refused, leave: ConnectionPermit | null): void;
  /** True when this host cannot be asked about postmaster; the probe is then given up. */
  isNotAsked(desk: HostQueue, postmaster: PostmasterProbe): boolean;
}

/** A held refusal, and what is now known about others. */
export interface Refused {
  readonly candidate: Candidate;
  readonly heard: Heard;
  readonly witness: WitnessFinding;
  /** This run has seen another recipient of the domain accepted. */
  readonly othersAccepted: boolean;
}

/** Holds ambiguous refusals until the answers about other recipients are known (decisions 6.12). */
export class Witnesses {
  constructor(
    private readonly setting: WitnessesSetting,
    private readonly searches: WitnessCallbacks,
  ) {}

  /** @returns true when the answer is an ambiguous refusal, which is then held or judged */
  hold(desk: HostQueue, candidate: Candidate, heard: Heard, leave: ConnectionPermit | null): boolean {
    const { classify } = this.setting.tools;
    if (witnessNeedOf(heard.answer, candidate.path, heard.context, classify) === null) return false;
    const postmaster = desk.postmasterOf(candidate.domain);
    postmaster.hold({ candidate, heard });
    if (postmaster.othersAccepted) this.judgeHeld(desk, postmaster, leave);
    return true;
  }

  /** Records that a recipient other than postmaster was accepted. */
  noteAccepted(desk: HostQueue, domain: string, leave: ConnectionPermit | null): void {
    this.setting.tools.acceptedRecipients.note(this.placeOf(desk, domain));
    const postmaster = desk.postmasterOf(domain);
    postmaster.othersAccepted = true;
    this.judgeHeld(desk, postmaster, leave);
  }

  /** Finds a witness for held refusals: a recipient accepted lately; else queues postmaster. */
  async seek(desk: HostQueue, domain: string, leave: ConnectionPermit): Promise<void> {
    const postmaster = desk.postmasterOf(domain);
    if (!postmaster.isDue) return;
    if (!postmaster.isWorthAsking) return this.judgeHeld(desk, postmaster, leave);
    postmaster.reserve();
    const isKnown = await this.setting.tools.acceptedRecipients.isKnown(this.placeOf(desk, domain));
    if (isKnown) return this.judgeHeld(desk, postmaster, leave, 'recipient_accepted_before');
    if (postmaster.othersAccepted || this.searches.isNotAsked(desk, postmaster)) return;
    this.setting.note(
      `Refusals of ${desk.host.name} do not say of whom they speak: asking about ${postmaster.path} too.`,
    );
    desk.add(postmaster);
  }

  heardPostmaster(desk: HostQueue, postmaster: PostmasterProbe, heard: Heard, leave: ConnectionPermit): void {
    postmaster.heard(heard);
    this.judgeHeld(desk, postmaster, leave);
  }

  /** Judges held refusals without asking about postmaster. */
  giveUp(desk: HostQueue, postmaster: PostmasterProbe): void {
    postmaster.reserve();
    this.judgeHeld(desk, postmaster, null);
  }

  /** @param found the finding for all of them; else each follows from postmaster's answer */
  private judgeHeld(
    desk: HostQueue,
    postmaster: PostmasterProbe,
    leave: ConnectionPermit | null,
    found?: WitnessFinding,
  ): void {
    const { othersAccepted } = postmaster;
    for (const refusal of postmaster.takeHeld()) {
      const witness = othersAccepted ? 'recipient_accepted' : (found ?? postmaster.findingFor(refusal));
      this.searches.judgeRefusal(desk, { ...refusal, witness, othersAccepted }, leave);
    }
  }

  private placeOf(desk: HostQueue, domain: string) {
    return { domain, host: desk.host.name, egressId: this.setting.egress.id };
  }
}

import { isPositive } from '../answer.js';
import type { ProbeTools } from '../probe-tools.js';
import type { ProbeFacts } from '../prober.js';
import type { Candidate, HeldAnswer, ReceivedAnswer } from './candidate.js';
import type { SessionsPermit } from '../sessions-permit.js';
import type { HostQueue } from './host-queue.js';
import type { RandomProbe } from './random-probe.js';

/** The scheduler's part of the protocol. */
export interface RandomCallbacks {
  /** Judges a recipient that waited for the random one's result. */
  judgeAccepted(queue: HostQueue, accepted: HeldAnswer, random: ProbeFacts['random']): void;
  /** The host has accepted the random recipient. */
  noteAccepted(queue: HostQueue, random: RandomProbe, permit: SessionsPermit): void;
  /** True when no recipient can be asked about any more. */
  isOver(): boolean;
}

/**
 * The random recipients of a run: one path per domain, the same at each of its hosts. Holds accepted recipients until
 * the result about the random one is known.
 */
export class RandomRecipients {
  private readonly wanted = new Set<string>();
  private readonly paths = new Map<string, string>();

  constructor(
    private readonly tools: Pick<ProbeTools, 'randomLocalPart' | 'classify'>,
    private readonly scheduler: RandomCallbacks,
  ) {}

  /** Asks hosts of this domain about a random recipient. */
  want(domain: string): void {
    this.wanted.add(domain);
  }

  isWanted(domain: string): boolean {
    return this.wanted.has(domain);
  }

  /** The domain's random recipient at a host; null where none is wanted, or its answer would mean nothing. */
  at(queue: HostQueue, domain: string): RandomProbe | null {
    if (!this.wanted.has(domain) || queue.provider?.randomProbeMeaningful === false) return null;
    return queue.randomOf(domain, () => this.pathOf(domain));
  }

  /**
   * The result so far.
   * @param othersAccepted the host accepted another recipient of the domain
   */
  resultAt(queue: HostQueue, domain: string, othersAccepted: boolean): ProbeFacts['random'] {
    const random = this.at(queue, domain);
    return (othersAccepted ? random?.result : random?.resultWithoutWitness) ?? 'not_asked';
  }

  /** @returns true when the recipient was accepted, and now waits for the random one's result */
  hold(queue: HostQueue, candidate: Candidate, received: ReceivedAnswer, permit: SessionsPermit | null): boolean {
    const { answer } = received;
    if (answer.stage !== 'rcpt' || !isPositive(answer)) return false;
    const random = this.at(queue, candidate.domain);
    if (random === null || random.result !== null) return false;
    permit?.note({ kind: 'served', retryAfterSeconds: null });
    random.wait({ candidate, received });
    return true;
  }

  onAnswer(queue: HostQueue, random: RandomProbe, { answer, context }: ReceivedAnswer, permit: SessionsPermit): void {
    const judged =
      answer.kind === 'reply'
        ? this.tools.classify(answer.reply, { ...context, stage: answer.stage, recipient: random.path })
        : null;
    random.onAnswer(answer, judged);
    if (random.result === 'accepted') this.scheduler.noteAccepted(queue, random, permit);
    this.judgeAccepted(queue, random);
  }

  /** Queues the random recipient for a session that begins with it, if accepted recipients wait for it. */
  askAgain(queue: HostQueue, domain: string): void {
    const random = this.at(queue, domain);
    if (random?.isWanted !== true) return;
    if (queue.failure === null && !this.scheduler.isOver()) queue.suspect(random);
    else this.giveUp(queue, random);
  }

  giveUp(queue: HostQueue, random: RandomProbe): void {
    random.giveUp();
    this.judgeAccepted(queue, random);
  }

  private judgeAccepted(queue: HostQueue, random: RandomProbe): void {
    for (const accepted of random.takeAccepted()) {
      this.scheduler.judgeAccepted(queue, accepted, random.result ?? 'inconclusive');
    }
  }

  private pathOf(domain: string): string {
    const path = this.paths.get(domain) ?? `${this.tools.randomLocalPart()}@${domain}`;
    this.paths.set(domain, path);
    return path;
  }
}

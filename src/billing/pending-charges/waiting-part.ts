/**
 * A part of a charge, one address of it, whose verdict is owed by a probe that was deferred. It is given back when the
 * probe ends without one (decisions 4.1).
 */
export interface WaitingPart {
  /** Id of the pending probe. */
  readonly waitsOn: string;
  /** What of the charge, such as a position: at most 40 printable ASCII characters without a colon, once in a charge. */
  readonly part: string;
  /** What the address cost, also where the allowance paid. */
  readonly credits: number;
}

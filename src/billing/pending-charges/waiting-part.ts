/**
 * One address of a charge that waits for the verdict of a deferred probe. It is refunded if the probe ends without one
 * (decisions 4.1).
 */
export interface WaitingPart {
  /** Id of the pending probe. */
  readonly waitsOn: string;
  /** Identifies the part, such as a position: at most 40 printable ASCII characters, no colon, unique in its charge. */
  readonly part: string;
  /** Price of the address, even if the allowance paid. */
  readonly credits: number;
  /** Id of the request that was charged, for who is told of the verdict. */
  readonly requestId?: string | undefined;
}

/** The result of reading a body. */
export interface ReadBody {
  /** Undefined without a body. */
  readonly value: unknown;
  /** Names of fields that the call does not take. */
  readonly ignored: readonly string[];
}

/** Reads a body while it arrives. */
export interface ArrivingBody {
  /** Values built or kept so far. */
  readonly values: number;

  /**
   * @param chunk the first one is longer than a byte order mark, or the whole body
   * @throws AppError for a body that is refused
   */
  write(chunk: Buffer): void;

  /** @throws AppError when the body is not complete, or not what the call takes */
  end(): ReadBody;
}

/** Limits of client connections. Tests set smaller ones. */
export interface ConnectionLimits {
  /**
   * Connections beyond this are closed on arrival: far more than a balancer keeps open, fewer than the files a process
   * may open.
   */
  readonly connections: number;
  /** Most concurrent requests. Most of them wait for a mail host and cost only memory. */
  readonly requests: number;
  /** Pipelined requests that may wait on one connection; the last one is then answered with `Connection: close`. */
  readonly waiting: number;
  /** The same for all connections together. */
  readonly waitingOfAll: number;
  /** How long to receive the rest of a body after its answer. */
  readonly leftoverMs: number;
  /** How many octets of it to receive. */
  readonly leftoverOctets: number;
  /**
   * How long a connection stays open for its client to read the last answer, or to finish sending during a shutdown.
   */
  readonly lingerMs: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  connections: 10_000,
  requests: 4000,
  waiting: 1000,
  waitingOfAll: 10_000,
  leftoverMs: 10_000,
  leftoverOctets: 64 * 1024 * 1024,
  lingerMs: 1000,
};

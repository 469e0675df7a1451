/** What connections may cost. Tests set smaller ones. */
export interface ConnectionLimits {
  /** More connections are closed as they come: far beyond what a balancer keeps open, below what files a process may open. */
  readonly connections: number;
  /** Requests that wait for the one before them, of one connection: its last one is then answered with `Connection: close`. */
  readonly waiting: number;
  /** The same of all connections together. */
  readonly waitingOfAll: number;
  /** How long what is left of a body is received after its answer. */
  readonly leftoverMs: number;
  /** How many octets of it. */
  readonly leftoverOctets: number;
  /** How long a connection stays open for its client to read the last answer, or to finish what it was sending at a stop. */
  readonly lingerMs: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  connections: 10_000,
  waiting: 1000,
  waitingOfAll: 10_000,
  leftoverMs: 10_000,
  leftoverOctets: 64 * 1024 * 1024,
  lingerMs: 1000,
};

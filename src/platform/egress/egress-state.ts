import type { NameFindings } from './check-names.js';
import type { PortVerdict } from './port-evidence.js';

/** Reachability of mail hosts through one egress, for health and metrics. */
export interface EgressState extends NameFindings {
  readonly id: string;
  readonly heloName: string;
  /** State of the mail port, 25 except in laboratories. */
  readonly port: PortVerdict;
  /** Keeps failing by its own fault. */
  readonly failing: boolean;
}

/** Warnings for operators, one line each. Names no address of ours and no proxy: anyone may read them. */
export function egressWarnings(states: readonly EgressState[]): string[] {
  return states.flatMap(({ heloName, heloResolves, reverseMatches, port, failing }) => [
    ...(failing ? [`the egress as ${heloName} fails: check its proxy or source address`] : []),
    ...(port === 'closed' ? [`no mail host can be reached as ${heloName}: outgoing port 25 seems to be closed`] : []),
    ...(heloResolves === false ? [`the HELO name ${heloName} does not resolve: mail hosts will refuse us`] : []),
    ...(reverseMatches === false
      ? [`the reverse DNS of our address does not say ${heloName}: mail hosts may refuse us`]
      : []),
  ]);
}

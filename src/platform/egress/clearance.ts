import { isIP } from 'node:net';
import { isPublicAddress } from '../../engine/dns/public-address.js';

/** Decides whether an address may be connected to. Called right before connecting, with the address actually used. */
export type Clearance = (address: string) => boolean;

/**
 * The rule of decisions 6.2: public addresses only. `allowPrivateNetworks` lifts it for laboratories. Text that is no
 * IP address is always refused: connecting would ask the system's resolver and go wherever it says.
 */
export function clearance(allowPrivateNetworks: boolean): Clearance {
  return allowPrivateNetworks ? (address) => isIP(address) !== 0 : isPublicAddress;
}

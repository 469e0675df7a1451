import type { SignalLists } from '../../src/engine/signals/lists.js';

/** Lists that have nothing, but what a test puts on them. */
export function signalLists(listed: Partial<SignalLists> = {}): SignalLists {
  return {
    isDisposableDomain: () => false,
    isDisposableMailHost: () => false,
    isAllowListed: () => false,
    isFreemail: () => null,
    relayProvider: () => null,
    isRole: () => false,
    ...listed,
  };
}

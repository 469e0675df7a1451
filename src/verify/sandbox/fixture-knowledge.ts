import { suggestCorrection } from '../../engine/address/suggest-correction.js';
import type { Knowledge } from '../../engine/assess.js';
import type { MailProvider } from '../../engine/smtp/provider.js';
import type { Said } from './fixture.js';
import { oncePer } from './once-per.js';

/**
 * The knowledge that judges sandbox facts: lists and tables that answer as the fixture says for every name. Only
 * corrections are those of live results, since they depend on the text alone.
 */
export const knowledgeOf = oncePer((said: Said): Knowledge => {
  const { disposable = false, role = false, freemail, relay = null, blocked = null, spamTrap = false } = said;
  const provider = said.acceptsAll === undefined ? null : providerThatAccepts(said.acceptsAll);
  return {
    lists: {
      isDisposableDomain: () => disposable,
      isDisposableMailHost: () => disposable,
      isAllowListed: () => false,
      isFreemail: () => freemail ?? null,
      relayProvider: () => relay,
      isRole: () => role,
    },
    curated: {
      blocked: () => blocked,
      isSpamTrap: () => spamTrap,
      isNoProbe: () => false,
      isNoProbeAddress: () => false,
    },
    findProvider: () => provider,
    suggestCorrection,
  };
});

function providerThatAccepts(acceptsAll: MailProvider['acceptsAll']): MailProvider {
  return {
    id: 'sandbox',
    name: 'Sandbox',
    kind: 'hosted',
    acceptsAll,
    randomProbeMeaningful: true,
    recipientsPerSession: 1,
    maxConnections: 1,
    recipientsPerMinute: 1,
  };
}

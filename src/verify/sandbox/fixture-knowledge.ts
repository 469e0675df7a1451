import { suggestCorrection } from '../../engine/address/suggest-correction.js';
import type { Knowledge } from '../../engine/assess.js';
import type { MailProvider } from '../../engine/smtp/provider.js';
import type { Said } from './fixture.js';
import { oncePer } from './once-per.js';

/**
 * What facts are judged by in the sandbox: lists and tables that say of every name what the fixture says, whatever the
 * domain is. Only corrections are those of live results: they are read off the text.
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

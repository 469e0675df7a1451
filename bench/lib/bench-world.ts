import { ACCEPTED, type MailHost } from '../../test/lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds, type World } from '../../test/lab/world.js';

/** Round-trip time between the engine and a mail host. */
export const ROUND_TRIP_MS = 20;

/** A domain whose mail host offers PIPELINING. */
export const PIPELINING_HOST = 'mx.pipelining.test';

const distant: MailHost = { roundTripMs: ROUND_TRIP_MS, recipients: { real: ACCEPTED } };

/** A domain at the same distance whose mail host names unknown mailboxes as unknown. */
export const EXPLICIT_DOMAIN = 'explicit.test';

/** A domain at the same distance whose mail host refuses all but two recipients with an ambiguous text. */
export const UNPROVEN_DOMAIN = 'unproven.test';

/** A domain at the same distance whose mail host accepts every recipient. */
export const ROOMY_DOMAIN = 'roomy.test';

/**
 * Domains with distant mail hosts, and names for the resolver. Answers are not cacheable, except an hour below
 * `kept.test`.
 */
export const benchWorld: World = joinWorlds(
  uncached('pipelining.test', distant),
  uncached('plain.test', { ...distant, pipelining: false }),
  uncached(EXPLICIT_DOMAIN, distant),
  uncached(UNPROVEN_DOMAIN, {
    ...distant,
    recipients: { real: ACCEPTED, postmaster: ACCEPTED },
    otherRecipients: '550 rejected',
  }),
  domainWithHost(ROOMY_DOMAIN, { roundTripMs: ROUND_TRIP_MS, otherRecipients: ACCEPTED }),
  {
    dns: {
      '*.cold.test': { MX: [[10, PIPELINING_HOST]], ttl: 0 },
      '*.kept.test': { MX: [[10, PIPELINING_HOST]], ttl: 3600 },
    },
    hosts: {},
  },
);

function uncached(domain: string, host: MailHost): World {
  const name = `mx.${domain}`;
  return {
    dns: { [domain]: { MX: [[10, name]], ttl: 0 }, [name]: { A: [name], ttl: 0 } },
    hosts: { [name]: host },
  };
}

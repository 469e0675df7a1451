import { ACCEPTED, type MailHost } from '../../lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds, type World } from '../../lab/world.js';

const MUTE: MailHost = { greeting: { lines: '220 late', delayMs: 600_000 } };

/** The domain of the honest customer, one that everybody asks about, and those that attackers made. */
export const ATTACK_WORLD: World = joinWorlds(
  domainWithHost('honest.example', { otherRecipients: ACCEPTED }),
  domainWithHost('shared.example', { otherRecipients: ACCEPTED, delayMs: 50 }),
  ...Array.from({ length: 20 }, (_, i) => domainWithHost(`mute${i}.example`, MUTE)),
  {
    dns: {
      'wild.example': { A: ['mx.honest.example'] },
      '*.wild.example': { A: ['mx.honest.example'], MX: [[10, 'mx.honest.example']], TXT: ['v=DKIM1; p=aaaa'] },
      '*.hostile.example': {
        MX: [[10, 'mx.honest.example']],
        TXT: Array.from({ length: 5 }, (_, i) => `v=spf1 ${'a'.repeat(7000)}${i}`),
      },
    },
    hosts: {},
  },
);

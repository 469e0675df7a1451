import { words } from '../../signals/data/words.js';

/** A mail service: one name and the suffixes under which it offers mailboxes. */
export interface MailBrand {
  readonly name: string;
  /** Best known first. */
  readonly suffixes: readonly string[];
  /** True if nobody else uses the name, so that any other suffix is a slip. */
  readonly distinctive: boolean;
  /** `global`: so widespread that even two slips are likelier than another domain. */
  readonly reach: 'global' | 'regional';
}

function global(name: string, suffixes: string, distinctive = true): MailBrand {
  return { name, suffixes: suffixes.split(' '), distinctive, reach: 'global' };
}

/** Services of one country, by domain; domains with the same name are one service. */
function regional(domains: string): MailBrand[] {
  const brands = new Map<string, string[]>();
  for (const domain of domains.trim().split(/\s+/)) {
    const dot = domain.indexOf('.');
    const name = domain.slice(0, dot);
    brands.set(name, [...(brands.get(name) ?? []), domain.slice(dot + 1)]);
  }
  return [...brands].map(([name, suffixes]) => ({ name, suffixes, distinctive: false, reach: 'regional' }));
}

/** Domains that people misspell, best known first. */
export const MAIL_BRANDS: readonly MailBrand[] = [
  global('gmail', 'com'),
  global(
    'hotmail',
    'com co.uk fr it es de be nl ca se no dk fi ch at gr cl com.br com.ar com.au com.tr com.tw com.hk co.jp co.nz co.il ' +
      'co.in co.id co.th co.za',
  ),
  global(
    'yahoo',
    'com co.uk fr de it es ca in co.in ie nl se no dk fi pl ro gr at ch be com.br com.mx com.ar com.au com.tr com.tw ' +
      'com.hk com.cn com.sg com.ph com.my com.vn com.co com.pe com.ve co.jp co.nz co.id co.th co.kr co.za cl',
  ),
  global(
    'outlook',
    'com fr de es it pt be dk ie in jp kr com.br com.ar com.au com.tr cl cz at co.id co.th sk hu',
    false,
  ),
  global('icloud', 'com'),
  global('aol', 'com co.uk de fr it es', false),
  global('live', 'com co.uk fr it nl be de ca se no dk at ie in jp cn com.mx com.ar com.au com.pt co.za', false),
  global('msn', 'com', false),
  global('googlemail', 'com'),
  global('protonmail', 'com ch'),
  global('proton', 'me', false),
  global('ymail', 'com', false),
  global('rocketmail', 'com'),
  global('me', 'com', false),
  global('mac', 'com', false),
  global('gmx', 'de net com at ch', false),
  global('mail', 'com ru', false),
  global('zoho', 'com', false),
  global('fastmail', 'com fm', false),
  global('tutanota', 'com de'),
  global('hushmail', 'com'),
  ...regional(`
    comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net earthlink.net windstream.net
    frontier.com frontiernet.net optonline.net roadrunner.com suddenlink.net centurylink.net embarqmail.com mindspring.com
    netzero.net juno.com ameritech.net pacbell.net aim.com rogers.com shaw.ca sympatico.ca bell.net telus.net videotron.ca
    btinternet.com virginmedia.com ntlworld.com blueyonder.co.uk sky.com talktalk.net tiscali.co.uk btopenworld.com
    virgin.net eircom.net bigpond.com bigpond.net.au optusnet.com.au iinet.net.au xtra.co.nz
    web.de t-online.de freenet.de arcor.de posteo.de vodafone.de bluewin.ch hispeed.ch chello.at aon.at
    orange.fr wanadoo.fr free.fr sfr.fr laposte.net neuf.fr bbox.fr numericable.fr club-internet.fr aliceadsl.fr
    libero.it virgilio.it tiscali.it alice.it tin.it fastwebnet.it telefonica.net terra.es sapo.pt telenet.be skynet.be
    proximus.be ziggo.nl kpnmail.nl planet.nl hetnet.nl xs4all.nl telia.com online.no
    wp.pl o2.pl onet.pl interia.pl gazeta.pl op.pl seznam.cz centrum.cz azet.sk freemail.hu citromail.hu abv.bg inbox.lv
    yandex.ru yandex.com bk.ru list.ru inbox.ru rambler.ru ukr.net mynet.com walla.co.il
    qq.com foxmail.com 163.com 126.com sina.com sohu.com yeah.net naver.com hanmail.net daum.net docomo.ne.jp
    ezweb.ne.jp softbank.ne.jp rediffmail.com uol.com.br bol.com.br terra.com.br ig.com.br globo.com
  `),
];

/** Slips too far from their domain to measure: dropped vowels, an added word, three-letter names. */
export const KNOWN_SLIPS: Readonly<Record<string, string>> = {
  'gml.com': 'gmail.com',
  'gmailmail.com': 'gmail.com',
  'hotmailmail.com': 'hotmail.com',
  'yahoomail.com': 'yahoo.com',
  'outlookmail.com': 'outlook.com',
  'icloudmail.com': 'icloud.com',
  'aolmail.com': 'aol.com',
  'aaol.com': 'aol.com',
  'aool.com': 'aol.com',
  'aoll.com': 'aol.com',
};

/** Real domains one or two slips away from a brand. They are never corrected. */
export const NEIGHBOURS: readonly string[] = words(`
  cloud.com grail.com garmin.com frontiers.com globe.com never.com roger.com rodgers.com rovers.com mali.com bel.net
  carter.net charger.net chatter.net tellus.net yahooinc.com hotels.com alive.it libro.it box.fr
`);

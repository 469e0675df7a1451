import { words } from '../../../engine/signals/data/words.js';

/**
 * Mail providers with hundreds of millions of users: if a list of disposable or relay domains contains one of them, the
 * rest of it cannot be trusted either.
 */
export const BIG_PROVIDERS: readonly string[] = words(`
  gmail.com googlemail.com google.com outlook.com hotmail.com live.com msn.com microsoft.com office365.com
  yahoo.com ymail.com aol.com icloud.com me.com mac.com apple.com proton.me protonmail.com gmx.de gmx.net gmx.com
  web.de t-online.de mail.ru yandex.ru yandex.com rambler.ru qq.com 163.com 126.com sina.com naver.com daum.net
  orange.fr free.fr laposte.net libero.it wp.pl o2.pl seznam.cz zoho.com fastmail.com comcast.net att.net verizon.net
  rediffmail.com uol.com.br bol.com.br hotmail.co.uk yahoo.co.uk yahoo.co.jp btinternet.com
`);

/** First names: a role list that contains them would block mail to people. */
export const FIRST_NAMES: readonly string[] = words(`
  john james robert michael david william richard thomas daniel matthew anthony mark paul andrew peter george kevin
  mary patricia jennifer linda elizabeth susan jessica sarah karen lisa nancy emily anna maria laura julia
  hans klaus stefan andreas martin jean pierre marie sophie carlos jose juan luis carmen giuseppe marco ivan olga
  mohammed ahmed fatima wei ravi priya
`);

import type { ReplyPattern } from '../reply-pattern.js';

/** Russian, Ukrainian, Bulgarian; Polish, Czech, Slovak, Croatian and Serbian without accents. */
const RU_BOX =
  'пользователь|пользователя|получатель|получателя|ящик|адрес|адресат|адресата|абонент|аккаунт|учетная|почтовыи|користувач|користувача|одержувач|скринька|скриньки|отримувач|потребител|потребителят|получател|кутия';
const PL_BOX = 'uzytkownik|uzytkownika|odbiorca|odbiorcy|skrzynka|skrzynki|konto|konta|adres|adresat|adresata|skrzynce';
const CZ_BOX =
  'uzivatel|uzivatele|prijemce|prijemca|schranka|schranky|ucet|adresa|adresat|adresata|uzivatel|pouzivatel|korisnik|primatelj|primalac|sanducic|sanduce|racun|nalog|adresu';

export const SLAVIC: readonly ReplyPattern[] = [
  {
    id: 'slavic-mailbox-unknown',
    class: 'mailbox_not_found',
    strength: 'explicit',
    phrases: [
      `${RU_BOX} .. неизвестен|неизвестныи|неизвестно|несуществующии|невідомии|неизвестна|неверныи|неверен|удален|удалена|неправильныи|непознат`,
      `${RU_BOX} .. не существует|наиден|наидена|зарегистрирован|зареєстровании|існує|знаидено|знаидении|съществува|известен|обслуживается`,
      `неизвестныи|неверныи|несуществующии|невідомии|нет|недопустимыи|неправильныи|непознат ${RU_BOX}`,
      `нет|немає такого|такои|такого ${RU_BOX}`,
      'не|неи существует|наиден|існує|съществува',
      'такого .. нет|не',
      `${PL_BOX} .. nieznany|nieznana|nieznane|niepoprawny|nieprawidlowy|bledny`,
      `${PL_BOX} .. nie|nieistniejacy|nieistniejaca istnieje|znaleziony|znaleziono|zostal|figuruje|ma`,
      `nieznany|nieznana|nieistniejacy|nieprawidlowy|niepoprawny|bledny|brak ${PL_BOX}`,
      'nie istnieje',
      `brak takiego|takiej ${PL_BOX}`,
      'nie ma takiego|takiej',
      `${CZ_BOX} .. neznamy|neznama|neexistuje|nenalezen|nenalezena|neplatny|neplatna|nenajdeny|nepostoji|nepoznat|neexistujici`,
      `${CZ_BOX} .. ne|nije postoji|pronaden|pronadjen|poznat`,
      `neznamy|neznama|neexistujici|neexistujuci|neplatny|neplatna|nepoznat|nepostojeci ${CZ_BOX}`,
      'neexistuje|nepostoji',
      'ne postoji',
    ],
    reason: 'The server says in a Slavic language that there is no such mailbox.',
  },
  {
    id: 'slavic-mailbox-full',
    class: 'mailbox_full',
    strength: 'explicit',
    phrases: [
      `${RU_BOX} .. переполнен|переполнена|заполнен|переповнении|переповнена|полон|пълна|препълнена`,
      'превышен|превышена|превышение|перевищено|исчерпана|исчерпан .. квота|квоты|квоту|лимит|размер|объем|ящика|место',
      'квота|квоты .. превышена|исчерпана|переполнена|перевищена|надвишена',
      'недостаточно|нет места|свободного',
      `${PL_BOX} .. przepelniona|przepelniony|pelna|pelny|przepelnione|zapelniona|przekroczyl|przekroczona`,
      'przekroczony|przekroczono|przekroczona|przekroczenie .. limit|quota|pojemnosc|pojemnosci|quote|limitu|rozmiar',
      'quota|limit .. przekroczona|przekroczony|przekroczone',
      `${CZ_BOX} .. plna|plny|preplnena|preplneny|prekrocil|prekrocena|pun|puna|puno|prepun`,
      'kvota|limit .. prekrocena|prekrocen|prekroceny|prekrocena|prekoracena|prekoracen',
    ],
    reason: 'The server says in a Slavic language that the mailbox is full.',
  },
  {
    id: 'slavic-mailbox-disabled',
    class: 'mailbox_disabled',
    strength: 'explicit',
    phrases: [
      `${RU_BOX} .. заблокирован|заблокирована|отключен|отключена|деактивирован|приостановлен|неактивен|заблоковано|закрыт|закрыта|блокиран|деактивиран`,
      `${RU_BOX} .. не активен|активна|обслуживается`,
      `${PL_BOX} .. zablokowany|zablokowana|zablokowane|wylaczone|wylaczona|nieaktywny|nieaktywna|nieaktywne|zawieszone|zawieszona|zamkniete|zamknieta|wygaslo`,
      `${CZ_BOX} .. zablokovan|zablokovana|zakazan|zakazana|neaktivni|neaktivny|neaktivna|deaktivovana|pozastaven|zrusena|zrusen|blokiran|onemogucen|neaktivan|suspendiran`,
    ],
    reason: 'The server says in a Slavic language that the mailbox is closed.',
  },
  {
    id: 'slavic-greylisted',
    class: 'greylisted',
    strength: 'explicit',
    phrases: [
      'греилист*',
      'серыи|серых|сірии|серои список|списки|списка|списке',
      'szara|szarej|szare lista|liscie|listy',
      'sedy|seda|sediveho list|listina|seznam',
    ],
    reason: 'Greylisting, named in a Slavic language.',
  },
  {
    id: 'slavic-come-back',
    class: 'greylisted',
    strength: 'weak',
    only: 'transient',
    phrases: [
      'позже|позднее|попробуите|повторите|пізніше|спробуите|опитаите',
      'временно недоступен|отклонено|отклонен|недоступна',
      'pozniej|sprobuj|ponownie|tymczasowo|tymczasowy',
      'pozdeji|neskor|zkuste|skuste|docasne|kasnije|pokusajte|privremeno',
    ],
    reason: 'A deferral in a Slavic language that asks to come back.',
  },
  {
    id: 'slavic-sender-refused',
    class: 'policy',
    strength: 'explicit',
    phrases: [
      'отправитель|отправителя|отправителю|отправителеи|відправник|відправника|подател|подателя|изпращач',
      'ваш|вашего|вашим|вашему|ваша|вашии сервер|сервера|адрес|адреса|хост|домен|проваидер|проваидера|ip|сервером',
      'ip адрес|адреса|адресу',
      'черныи|черном|черного|чорнии|черен список|списке|списка|списком|списък',
      'обратная|обратнои|обратныи|обратного зона|зоны|dns|запись|записи',
      'репутация|репутации|репутацию|репутація',
      'слишком|забагато|надто много|часто|частые|соединении|писем|багато',
      'требуется|необходима|потрібна аутентификация|авторизация|автентифікація|авторизація',
      'nadawca|nadawcy|nadawce|odesilatel|odesilatele|odesielatel|posiljatelj|posiljatelja|posiljalac',
      'adres|adresy|adresa|adrese ip',
      'czarna|czarnej|cerna|cerne|cierna|crna|crnoj lista|liscie|listina|listine|listu|listi|listy',
      'twoj|twojego|panstwa|vas|vaseho|vasa|vaseg serwer|adres|serwera|server|adresa|ip|domena',
      'zbyt|prilis|previse wiele|duzo|mnoho|vela|mnogo polaczen|wiadomosci|spojeni|zprav|sprav|veza|poruka',
      'wymagana|wymagane|vyzadovana|vyzadovano|vyzadovane|potrebna autoryzacja|autentykacja|uwierzytelnienie|autentizace|overeni|autentifikacia|autentifikacija',
      'uwierzytelnienie|autoryzacja|autentizace|overeni wymagane|wymagana|vyzadovana|vyzadovano',
      'reputacja|reputacji|reputace|reputacija',
    ],
    reason: 'The server speaks of the sender, in a Slavic language.',
  },
  {
    id: 'slavic-relay-denied',
    class: 'relay_denied',
    strength: 'explicit',
    phrases: [
      'релеи|пересылка|ретрансляция|реле запрещен|запрещена|запрещено|не|отклонена',
      'relay|relaying zabronione|zabroniony|niedozwolony|zakazan|zakazano|odmitnut|nie|nepovolen|neni|zabranjen',
    ],
    reason: 'Relaying is refused, in a Slavic language.',
  },
  {
    id: 'slavic-refused-by-policy',
    class: 'policy',
    strength: 'word',
    phrases: [
      'спам*|рассылка|рассылки|политика|политики|политикои|политике|запрещено|запрещен|запрещена|отклонено|отклонен|отвергнуто|отказано|заблокировано|блокирован|заборонено|відхилено|отхвърлено',
      'доступ запрещен|закрыт|заблокирован|заборонено|отказан',
      'odrzucona|odrzucone|odrzucony|odmowa|zablokowana|zablokowane|niechciana|niedozwolony|polityka|polityki|zabroniony|zabroniona|zabronione',
      'odmitnuto|odmitnuta|odmietnute|odmietnuta|zamitnuto|odbijena|odbijeno|nevyzadana|nevyziadana|politika|zakazano|zabranjeno',
    ],
    reason: 'The server refuses by a rule about the sender or the message, in a Slavic language.',
  },
  {
    id: 'slavic-speaks-to-us',
    class: 'policy',
    strength: 'weak',
    only: 'permanent',
    phrases: [
      'вы|вас|вам|ваш|ваше|ваша|сообщение|сообщения|письмо|письма|соединение|лист|повідомлення|сервер|съобщение',
      'wiadomosc|wiadomosci|twoja|twoj|panstwa|polaczenie|serwer',
      'zprava|zpravy|sprava|vase|vas|spojeni|spojenie|poruka|vasa|veza',
    ],
    reason: 'Words in a Slavic language that are meant for whoever sends.',
  },
];

import type { ReplyPattern } from '../reply-pattern.js';

/**
 * Missing domains, servers and records, in many languages. Without this table they read like missing mailboxes: the
 * words for "does not exist" are the same.
 */
export const DOMAINS_ABROAD: readonly ReplyPattern[] = [
  {
    id: 'domain-unknown-abroad',
    class: 'relay_denied',
    strength: 'explicit',
    phrases: [
      'domain|domane|domaene|hostname|rechner|server existiert|existieren nicht',
      'domein|server|hostnaam bestaat|bestaan niet',
      'doman|domanen|domane|domene|domenet|domaene|domaenet|server|serveren|servern finns|findes|finnes|eksisterer|existerar inte|ikke|ej',
      'okant|okand|ukendt|ukjent doman|domaene|domane|domene|server',
      'domaine|serveur|hote|enregistrement n|nexiste existe|pas',
      'domaine|serveur|hote|enregistrement inexistant|inexistante|introuvable|inconnu',
      'domeniul|serverul|gazda|domeniu nu|inexistent exista',
      'dominio|servidor|server|registro|record no|nao|non existe|esiste|encontrado|trovato|hallado',
      'домен|домена|домеиин|домеинът|сервер|хост|узел|запись не|е существует|существуют|съществува|наиден|наидена|наидено|обнаружен|обнаружена|наидено|існує|знаидено|знаидении',
      'домен|домена|сервер|хост|узел неизвестен|неизвестныи|отсутствует|невідомии',
      'domena|domeny|serwer|host|rekord nie istnieje|znaleziono|znaleziona|znaleziony',
      'domena|domenu|server|zaznam neexistuje|nenalezena|nenalezen|nenajdena|nenajdeny|neznama',
      'alan adi|adiniz bulunamadi|mevcut|yok|gecersiz',
      'sunucu|sunucusu bulunamadi|mevcut|yok',
      'domain|tartomany|szerver nem letezik|talalhato',
      'verkkotunnusta|verkkotunnus|palvelinta|palvelin ei ole|loydy|loytynyt',
      'τομεας|διακομιστης δεν υπαρχει|βρεθηκε',
      '域 名 不|未|无 存|找|效',
      '域 不 存',
      '服 务 器 不|未 存|找',
      '伺 服 器 不|未 存|找',
      '主 机|機 不|未 存|找',
      '网|網 域 不|未 存|找',
      '记|紀|記 录|錄 不|未 存|找',
      'ド メ イ ン が|は|名 存|見',
      'サ ー バ が|は 存|見',
      'サ ー バ ー が|は 存|見',
      'レ コ ー ド が|は 存|見',
      '도 메 인 이|을|은 존|찾',
      '서 버 가|를|는 존|찾',
    ],
    reason: 'A domain or a server was not found, said in another language: nobody looked for the mailbox.',
  },
  {
    id: 'our-account-abroad',
    class: 'policy',
    strength: 'explicit',
    phrases: [
      'ditt|din|dit konto|adress|adresse|postlada|mailbox',
      'expeditorului|expeditorul',
      'adresse de retour|expedition',
      'adresse|adres|adress|adresa|direccion|endereco|indirizzo|адрес|адреса #ip',
      '发|發 信 账|帐|帳|賬|号|號',
      '授 权|權 码|碼',
    ],
    reason: 'It speaks of our own account, in another language.',
  },
];

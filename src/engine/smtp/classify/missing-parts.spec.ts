import { parseReplyLine } from '../reply-line.js';
import { classifyReply } from './classify-reply.js';
import type { Classification } from '../classification.js';

function judged(reply: string): Classification {
  const { code, enhanced, text } = parseReplyLine(reply)!;
  const ownNames = ['probe@mailvet.example', 'mail.example.net', '192.0.2.1'];
  const context = { stage: 'rcpt', recipient: 'user@example.com', ownNames, provider: null } as const;
  return classifyReply({ code, enhanced, lines: [text], mixed: false }, context);
}

/** What is missing, in words that elsewhere speak of a missing mailbox. */
const MISSING: Readonly<Record<string, readonly string[]>> = {
  'a part of the server': [
    '550 server does not exist',
    '550 file does not exist',
    '550 The database does not exist',
    "550 table users doesn't exist",
    '550 relation "mailbox" does not exist',
    '550 Service does not exist',
    '550 backend does not exist',
    '550 A valid route does not exist',
    '550 nonexistent table',
    '550 certificate is no longer valid',
    '550 Antivirus license expired: account expired',
    '550 LDAP bind failed: invalid account',
    '550 5.3.5 Local configuration error: unknown user nobody',
    '550 mysql user unknown',
    '550 unknown mailbox server',
    '550 Mail server address not found',
    '550 DNS: address not found for mail.example.net',
    '550 No route to host, no such address',
    '550 could not connect as user mail: unknown user',
  ],
  'an account that is not the recipient': [
    '550 SMTP user unknown',
    '550 relay user unknown',
    '550 relay recipient unknown',
    '550 5.1.1 SMTP user unknown',
    '550 authenticated user not found',
    '550 No such user (authenticated sender)',
    '550 relay account disabled',
    '550 smtp account suspended',
    '550 policy user unknown',
    "550 The user's policy does not exist",
    '550 Invalid user name in AUTH',
    '550 bad username or password',
    '550 unknown user at mail.example.net',
    "550 Sender's mailbox does not exist",
    "552 5.2.2 Sender's quota exceeded",
    '550 Originator address invalid',
    '550 reply-to address does not exist',
    '550 Your hosting account is suspended',
    '550 Unknown user: you must check your mail before sending',
    '550 Benutzer für den Versand gesperrt',
    '550 Empfänger hat Sie blockiert',
    '550 Adresse Ihres Servers nicht gefunden',
    '550 Kein Benutzer angemeldet',
    '550 le destinataire vous a bloqué',
    '550 el destinatario le ha bloqueado',
    '550 usuario bloqueado para envíos',
    '550 utente non abilitato all’invio',
    '550 получатель заблокировал вас',
    '550 此用户发信权限已被冻结',
    '550 送信機能が停止されています',
    '550 ditt konto är spärrat',
    '550 contul expeditorului nu exista',
    '550 adresse de retour inexistante',
    '550 Adresse 192.0.2.1 unbekannt',
    '550 发信账号不存在',
    '550 認證失敗:用戶不存在',
    '550 認証ユーザーが不明です',
    '550 SMTP пользователь неизвестен',
  ],
  'a function, a list or a client': [
    '550 Address verification is disabled',
    '550 recipient verification has been disabled',
    '550 user authentication disabled',
    '550 Email forwarding disabled',
    '550 Account creation disabled',
    '550 email delivery over unencrypted sessions is disabled',
    '550 account is temporarily blocked from sending',
    '550 user is blocked from sending mail',
    '550 address is blocked',
    '550 this address has been blocked by policy',
    '550 recipient is no longer accepting your messages',
    '550 recipient removed you from the list',
    '550 There is no account for you here',
    '550 Address not in relay list',
    "550 recipient address not in sender's allow list",
    '550 sender/recipient does not exist',
    '550 unknown email client',
    '550 Unregistered address range',
    '550 disk quota exceeded on spool',
    '550 server quota exceeded',
  ],
  'a domain or a server, in another language': [
    '550 域名不存在',
    '550 收件人域名不存在',
    '550 MX记录不存在',
    '550 服务器不存在',
    '550 主机未找到',
    '550 ドメインが存在しません',
    '550 サーバーが見つかりません',
    '550 도메인이 존재하지 않습니다',
    '550 서버를 찾을 수 없습니다',
    '550 домен не существует',
    '550 сервер не найден',
    '550 хост не найден',
    '550 домейнът не съществува',
    '550 домен не існує',
    "550 le domaine n'existe pas",
    '550 el dominio no existe',
    '550 o domínio não existe',
    '550 il dominio non esiste',
    '550 domeniul nu exista',
    '550 Hostname existiert nicht',
    '550 domein bestaat niet',
    '550 domänen finns inte',
    '550 domæne findes ikke',
    '550 domena nie istnieje',
    '550 doména neexistuje',
    '550 alan adı bulunamadı',
    '550 a domain nem létezik',
    '550 verkkotunnusta ei ole',
    '550 Der Server des Empfängers ist nicht erreichbar',
    '550 Empfänger-Server nicht erreichbar',
    '550 domein van de ontvanger bestaat niet',
    '550 serveur du destinataire introuvable',
    "550 le domaine du destinataire n'existe pas",
    '550 el servidor del destinatario no existe',
    '550 o domínio do destinatário não existe',
    '550 il dominio del destinatario non esiste',
    '550 сервер получателя не найден',
    '550 домен отримувача не існує',
    '550 domena odbiorcy nie istnieje',
    '550 doména příjemce neexistuje',
    '550 a címzett domainje nem létezik',
    '550 domeniul destinatarului nu exista',
    '550 收件人的邮件服务器找不到',
  ],
};

describe.each(Object.entries(MISSING))('a refusal that misses %s', (_, replies) => {
  it.each(replies)('proves nothing of the mailbox: %s', (reply) => {
    const { subject, needsWitness } = judged(reply);
    expect(subject !== 'mailbox' || needsWitness === 'no_postmaster').toBe(true);
  });
});

describe('a refusal that misses the mailbox', () => {
  it.each([
    '550 user@example.com does not exist',
    '550 User unknown in relay recipient table',
    '550 You have sent an email to an address not recognised by our system',
    '550 5.1.6 address user@example.com has been replaced by user@example.org',
    '550 No such user here, from [192.0.2.1]',
    '550 The user does not exist on this server',
    '550 user not in directory: does not exist',
    '550 该域名下用户不存在',
    '550 Пользователь на этом сервере не найден',
    "550 L'utilisateur n'existe pas sur ce domaine",
    '550 El usuario no existe en este dominio',
    '550 Der Benutzer existiert auf diesem Server nicht',
  ])('still proves it: %s', (reply) => {
    const { class: said, needsWitness } = judged(reply);
    expect([said, needsWitness]).toEqual(['mailbox_not_found', undefined]);
  });
});

import { itDiagnoses } from '../../../../test/factories/wordings.js';

/** Each has words that elsewhere speak of a mailbox, or that only a few languages were known for. */
const REFUSALS: Readonly<Record<string, readonly string[]>> = {
  Russian: [
    '550 Вы превысили лимит отправки сообщений',
    '550 5.1.1 Репутация отправляющего сервера слишком низкая',
    '550 Требуется шифрование соединения',
    '550 Слишком много неизвестных получателей',
    '550 Ваш почтовый ящик отключен',
    '550 Ваш email не найден',
  ],
  Ukrainian: [
    '550 Перевищено ліміт відправлення листів',
    '550 Ваша адреса у чорному списку',
    '550 Необхідне шифрування',
  ],
  Polish: [
    '550 Limit wysyłania wiadomości przekroczony',
    '550 Konto nadawcy nie istnieje',
    '550 Szyfrowanie połączenia jest wymagane',
    '550 Twoje konto jest nieaktywne',
    '550 Pański adres jest nieznany',
  ],
  Czech: [
    '550 Limit odeslaných zpráv byl překročen',
    '550 Vaše IP je na seznamu blokovaných',
    '550 Účet odesílatele byl zrušen',
  ],
  Turkish: [
    '550 Gönderim limiti aşıldı',
    '550 Bu sunucu için kimlik doğrulaması gerekiyor',
    '550 IP adresi için ters DNS bulunamadı',
  ],
  French: [
    "550 Limite d'envoi dépassée",
    '550 Trop de destinataires invalides, adresse bloquée',
    '550 Une connexion chiffrée est requise',
    "550 Votre compte n'existe pas",
    '550 Adresse émettrice inconnue',
  ],
  Spanish: [
    '550 Límite de envíos diarios superado',
    '550 Este servidor requiere autenticación',
    '550 Reenvío no permitido',
    '550 Demasiados destinatarios desconocidos',
    '550 Su cuenta fue suspendida',
  ],
  Portuguese: [
    '550 Cota de envio ultrapassada',
    '550 Este servidor requer autenticação',
    '550 Reputação do IP insuficiente',
  ],
  Italian: [
    '550 Quota di invio superata',
    '550 Il server richiede autenticazione',
    '550 Troppi destinatari sconosciuti',
    '550 Il vostro account è bloccato',
  ],
  German: [
    '550 Versandlimit überschritten',
    '550 Zu viele unbekannte Empfänger',
    '550 5.1.1 Empfängeranzahl überschritten',
    '550 Eine verschlüsselte Verbindung ist erforderlich',
    '550 Das Absenderkonto existiert nicht',
    '550 Ihr Konto ist deaktiviert',
    '550 Ihre E-Mail-Adresse ist gesperrt',
    '550 Der sendende Benutzer ist unbekannt',
  ],
  Dutch: ['550 Verzendlimiet overschreden', '550 Doorzenden is verboden', '550 Te veel onbekende ontvangers'],
  'Chinese, simplified': [
    '550 发送数量超过限制',
    '550 用户邮件数量过多',
    '550 收件人过多',
    '550 请先登录',
    '550 5.1.1 需要认证',
    '550 您的帐号已停用',
    '550 您的地址不存在',
    '550 发件邮箱已停用',
  ],
  'Chinese, traditional': ['550 寄件伺服器信用過低', '550 寄件者信箱不存在', '550 寄信人帳號不存在', '550 請先登入'],
  Japanese: [
    '550 差出人が存在しません',
    '550 逆引きできません',
    '550 送信数の上限に達しました',
    '550 認証に失敗しました',
    '550 あなたのアドレスは存在しません',
  ],
  Korean: [
    '550 보내는 사람의 메일 주소가 존재하지 않습니다',
    '550 발송 한도를 초과했습니다',
    '550 인증에 실패했습니다',
    '550 역방향 조회에 실패했습니다',
    '550 귀하의 평판이 낮습니다',
    '550 회신 주소를 찾을 수 없습니다',
  ],
};

describe.each(Object.entries(REFUSALS))('refusals of us in %s', (_, replies) => {
  itDiagnoses({ policy_block: replies });
});

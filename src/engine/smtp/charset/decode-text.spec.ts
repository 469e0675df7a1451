import { encodeText } from '../../../../test/factories/encode-text.js';
import { WORLD_WORDINGS } from '../../../../test/factories/world-wordings.js';
import { decodeText } from './decode-text.js';

/** Other texts than those the scores were made with. */
const HELD_BACK: Readonly<Record<string, readonly string[]>> = {
  gb18030: [
    '您所发送的邮件包含病毒附件',
    '当前会话数超出上限',
    '请联系管理员解封',
    '信件被退回',
    '不允许匿名投递',
    '域名解析失败',
  ],
  big5: ['對方信箱不存在或已關閉', '請洽系統管理員', '不接受外部郵件', '主機名稱無法反解', '超過每小時寄信上限'],
  shift_jis: ['指定された宛先は登録がありません', 'ウイルスが検出されました', '逆引き失敗'],
  'euc-jp': ['お客様のメールボックスは現在ご利用になれません', 'ウイルスが検出されました', '退会済'],
  'euc-kr': [
    '고객님의 메일은 바이러스에 감염되어 있습니다',
    '역방향 조회 실패',
    '허용되지 않은 호스트',
    '해지된 아이디',
  ],
  'windows-1251': [
    'Письмо содержит вирус',
    'ОТПРАВИТЕЛЬ НЕ АВТОРИЗОВАН',
    'Хост не найден',
    'спам',
    'Надто багато листів',
  ],
  'koi8-r': ['Письмо содержит вирус', 'ОТПРАВИТЕЛЬ НЕ АВТОРИЗОВАН', 'Сервис недоступен', 'спам'],
  'iso-8859-2': ['Twoja wiadomość zawiera wirusa', 'Schránka příjemce byla přesunuta'],
  'windows-1250': ['Nieprawidłowe żądanie', 'Zpráva obsahuje virus, doručení odmítnuto'],
  'windows-1254': ['Gönderdiğiniz ileti virüs içeriyor', 'Sunucu kısıtlaması', 'Alan adı geçersiz'],
  'windows-1252': [
    'Zustellung unmöglich',
    'é',
    'Dirección',
    'Användaren är spärrad',
    "À l'attention de l'expéditeur",
    'Größe überschritten',
  ],
};

describe('decodeText', () => {
  const asWritten = Object.values(WORLD_WORDINGS).flatMap(({ charsets, replies }) =>
    charsets.flatMap((charset) =>
      Object.values(replies).flatMap((texts) => texts.map((text) => [charset, text] as const)),
    ),
  );
  const heldBack = Object.entries(HELD_BACK).flatMap(([charset, texts]) =>
    texts.map((text) => [charset, text] as const),
  );

  it.each([...asWritten, ...heldBack])('reads %s: %s', (charset, text) => {
    expect(decodeText(encodeText(text, charset)).text).toBe(text);
  });

  it('decodes UTF-8, even if the last character is cut', () => {
    const bytes = Buffer.from('用户不存在');
    expect(decodeText(bytes).text).toBe('用户不存在');
    expect(decodeText(bytes.subarray(0, -1)).text).toBe('用户不存');
  });

  it('never throws for any bytes', () => {
    const all = Buffer.from(Array.from({ length: 512 }, (_, index) => (index * 37) % 256));
    expect(decodeText(all).text.length).toBeGreaterThan(0);
  });
});

/** The most frequent characters of running text and of refusals. Bytes read in the wrong charset hardly ever give these. */
const HAN =
  // Simplified.
  '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方' +
  '多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日者意无力它与长把机民第公此已工使情明性知' +
  '全又关点正业外将两高间由问很最重并物手应向头文体政美相见被利什等产或新己制身果加月话合回特代内信表化老给世位次度门任常先' +
  '海通教原东声提立及比员解水名真论处走各入几口认条平系气题活更别打变总何电数安少报才结反受目太量再感建务做接必场件计管期市' +
  '直资命山金指许统区保至队形社便空决治展科司基书非则听白界达光放强即像难且权思完设式色路记品住告类求据程北边该交规万取望术' +
  '领共确传观清今切院让识候带导争运您请' +
  '邮箱户账帐号码址域服器送收拒绝禁止垃圾黑单频率限稍重试存满容停锁冻注销错误效查找策略誉屏蔽拦截连验证失败败冒滥列忙暂' +
  // Traditional.
  '這個們來為國說時會對於著過發後裡種經麼學現當沒動還進樣開從實無與長機關點業將兩間問並應頭體見產話內給門東聲員論處幾認條' +
  '氣題別變總電數報結務場計資許統區隊決書則聽達強難權設記類據規萬術領確傳觀讓識帶導爭運請郵戶帳號網伺寄絕單頻試滿鎖凍銷錯' +
  '誤誉譽連線驗證敗源佳判址凍徵' +
  // Japanese.
  '送信元者拒否受迷惑判定登録接続制限認証失敗在宛先見明該当間違停止利中容超足度試箱配達届期有効存字御逆引差評価';

const HANGUL =
  '이다는을의에가하지고사용자메일계정수신발송주소서버차단거부되었습니스팸책량초과존재않없할찾등록잘못된시도해십오후잠나중연결제' +
  '한보낸평판낮아합함박편관리문은를로으며및또기인어그대여전있면것들라만구성상공원동방내외국장실현부터까처럼닙요청패권유효류귀블' +
  '랙트분접속득찼받른휴면탈퇴활비화입력값확님본안될며';

export const COMMON_HAN: ReadonlySet<string> = new Set(HAN);
export const COMMON_HANGUL: ReadonlySet<string> = new Set(HANGUL);

/** Letter pairs that make up much of Russian and Ukrainian text. */
const CYRILLIC_PAIRS =
  'ст но то на ен ов ни ра во ко не по ро ре ли ка ос ет та ва го ль от ом ор ел ит ан ол ер ад ин ес пр ри ть ас ле ал ат те ви до ве ки ия ие ий ый ся ам об за бо бл ло ок ск ящ щи ик ьз зо сп па ва ил ла да де ны ым ми ме ив ні ст ук ач ва ид від ід ка ри ис ич ту ну ут су ще ес ще';
export const COMMON_PAIRS: ReadonlySet<string> = new Set(CYRILLIC_PAIRS.split(' '));

const alphabets = (...letters: readonly string[]): readonly ReadonlySet<string>[] => letters.map((all) => new Set(all));

/** Lower-case letters beyond ASCII, of the languages that use each Latin charset. */
export const LATIN_ALPHABETS = {
  // French, Spanish, Portuguese, Italian, German, Nordic, Dutch.
  western: alphabets('àâçèéêëîïôùûüœ', 'áéíñóúü', 'áâãàçéêíóôõú', 'àèéìòù', 'äöüß', 'åäöæøé', 'éëïöüèó'),
  // Polish, Czech and Slovak, Hungarian.
  central: alphabets('ąćęłńóśźż', 'áčďéěíňóřšťúůýžäô', 'áéíóöőúüű'),
  turkish: alphabets('çğıöşüâî'),
} as const;

import { words } from './words.js';

/**
 * Mail services where anyone may open a mailbox, by provider and country. A-labels, lowercase; a subdomain belongs to
 * its parent. Excludes services with expiring mailboxes (disposable) and alias services (relays).
 */
export const FREEMAIL_DOMAINS: readonly string[] = words(`
  gmail.com googlemail.com

  hotmail.com hotmail.at hotmail.be hotmail.ca hotmail.ch hotmail.cl hotmail.co.id hotmail.co.il hotmail.co.in
  hotmail.co.jp hotmail.co.kr hotmail.co.nz hotmail.co.th hotmail.co.uk hotmail.co.za hotmail.com.ar hotmail.com.au
  hotmail.com.br hotmail.com.hk hotmail.com.tr hotmail.com.tw hotmail.com.vn hotmail.cz hotmail.de hotmail.dk hotmail.es
  hotmail.fi hotmail.fr hotmail.gr hotmail.hu hotmail.it hotmail.lt hotmail.lv hotmail.my hotmail.nl hotmail.no
  hotmail.ph hotmail.rs hotmail.ru hotmail.se hotmail.sg hotmail.sk
  live.com live.at live.be live.ca live.cl live.cn live.co.kr live.co.uk live.co.za live.com.ar live.com.au live.com.mx
  live.com.my live.com.ph live.com.pt live.com.sg live.de live.dk live.fi live.fr live.hk live.ie live.in live.it live.jp
  live.nl live.no live.pt live.ru live.se
  outlook.com outlook.at outlook.be outlook.bg outlook.cl outlook.co outlook.co.id outlook.co.il outlook.co.nz
  outlook.co.th outlook.com.ar outlook.com.au outlook.com.br outlook.com.es outlook.com.gr outlook.com.pe outlook.com.tr
  outlook.com.vn outlook.cz outlook.de outlook.dk outlook.es outlook.fr outlook.hu outlook.ie outlook.in outlook.it
  outlook.jp outlook.kr outlook.lv outlook.my outlook.ph outlook.pt outlook.ro outlook.sa outlook.sg outlook.sk
  msn.com msn.co.uk windowslive.com livemail.tw passport.com webtv.net

  yahoo.com yahoo.at yahoo.be yahoo.bg yahoo.ca yahoo.ch yahoo.cl yahoo.cn yahoo.co.id yahoo.co.il yahoo.co.in
  yahoo.co.jp yahoo.co.kr yahoo.co.nz yahoo.co.th yahoo.co.uk yahoo.co.za yahoo.com.ar yahoo.com.au yahoo.com.br
  yahoo.com.cn yahoo.com.co yahoo.com.hk yahoo.com.mx yahoo.com.my yahoo.com.pe yahoo.com.ph yahoo.com.sg yahoo.com.tr
  yahoo.com.tw yahoo.com.ve yahoo.com.vn yahoo.cz yahoo.de yahoo.dk yahoo.es yahoo.fi yahoo.fr yahoo.gr yahoo.hu yahoo.ie
  yahoo.in yahoo.it yahoo.jp yahoo.nl yahoo.no yahoo.pl yahoo.pt yahoo.ro yahoo.ru yahoo.se
  ymail.com rocketmail.com myyahoo.com yahooxtra.co.nz y7mail.com ygm.com geocities.com yahoofs.com
  aol.com aol.co.uk aol.de aol.es aol.fr aol.it aol.com.au aol.com.br aim.com love.com games.com wow.com netscape.com
  netscape.net cs.com compuserve.com compuserve.de icq.com
  icloud.com me.com mac.com

  proton.me protonmail.com protonmail.ch pm.me
  tuta.com tuta.io tutanota.com tutanota.de tutamail.com keemail.me
  hey.com hushmail.com hush.com hushmail.me lavabit.com safe-mail.net riseup.net disroot.org autistici.org inventati.org
  mailfence.com runbox.com startmail.com countermail.com kolabnow.com posteo.de posteo.net posteo.at posteo.eu
  mailbox.org vivaldi.net cock.li airmail.cc dismail.de onionmail.org skiff.com onmail.com murena.io systemli.org
  ctemplar.com e.email pobox.com sdf.org

  zoho.com zoho.eu zoho.in zohomail.com zohomail.eu zohomail.in
  operamail.com mail2world.com mail2web.com inbox.com incredimail.com gawab.com usa.net iname.com bigfoot.com care2.com
  lycos.com lycos.co.uk lycos.de lycos.es lycos.fr lycos.it lycos.nl excite.com excite.co.jp excite.it caramail.com
  mailcity.com whowhere.com hotbot.com altavista.com angelfire.com myway.com iwon.com juno.com canada.com ireland.com
  everyone.net zzn.com fortunecity.com crosswinds.net starmedia.com xoom.com theglobe.com talkcity.com bolt.com rock.com
  barcelona.com bangkok.com beer.com nyc.com ny.com geek.com i.am catholic.org islamonline.net swissinfo.org email.cz

  fastmail.com fastmail.fm fastmail.cn fastmail.co.uk fastmail.com.au fastmail.de fastmail.es fastmail.fr fastmail.im
  fastmail.in fastmail.jp fastmail.mx fastmail.net fastmail.nl fastmail.org fastmail.se fastmail.to fastmail.tw
  fastmail.uk fastmail.us 123mail.org 150mail.com 150ml.com 16mail.com 2-mail.com 4email.net 50mail.com airpost.net
  allmail.net bestmail.us cluemail.com elitemail.org emailcorner.net emailengine.net emailengine.org emailgroups.net
  emailplus.org emailuser.net eml.cc f-m.fm fast-email.com fast-mail.org fastem.com fastemail.us fastemailer.com
  fastest.cc fastimap.com fastmailbox.net fastmessaging.com fea.st fmail.co.uk fmailbox.com fmgirl.com fmguy.com
  ftml.net h-mail.us hailmail.net imap-mail.com imap.cc imapmail.org inoutbox.com internet-e-mail.com internet-mail.org
  internetemails.net internetmailing.net jetemail.net justemail.net letterboxes.org mail-central.com mail-page.com
  mailandftp.com mailas.com mailbolt.com mailc.net mailcan.com mailforce.net mailftp.com mailhaven.com
  mailingaddress.org mailite.com mailmight.com mailnew.com mailsent.net mailservice.ms mailup.net mailworks.org ml1.net
  mm.st myfastmail.com mymacmail.com nospammail.net ownmail.net petml.com postinbox.com postpro.net proinbox.com
  promessage.com realemail.net reallyfast.biz reallyfast.info rushpost.com sent.as sent.at sent.com speedpost.net
  speedymail.org ssl-mail.com swift-mail.com the-fastest.net the-quickest.com theinternetemail.com veryfast.biz
  veryspeedy.net warpmail.net xsmail.com yepmail.net your-mail.com

  mail.com email.com accountant.com activist.com adexec.com allergist.com alumni.com alumnidirector.com angelic.com
  appraiser.net archaeologist.com arcticmail.com artlover.com asia-mail.com asia.com atheist.com auctioneer.net
  bartender.net bikerider.com birdlover.com blader.com boardermail.com brazilmail.com brew-master.com brew-meister.com
  bsdmail.com californiamail.com cash4u.com catlover.com cheerful.com chef.net chemist.com chinamail.com clerk.com
  clubmember.org collector.org columnist.com comic.com computer4u.com consultant.com contractor.net coolsite.net
  counsellor.com cutey.com cyber-wizard.com cyberdude.com cybergal.com cyberservices.com dallasmail.com dbzmail.com
  deliveryman.com diplomats.com disciples.com discofan.com doctor.com doglover.com doramail.com dr.com dublin.com
  dutchmail.com elvisfan.com engineer.com englandmail.com europe.com europemail.com execs.com fan.com feelings.com
  financier.com fireman.net galaxyhit.com gardener.com geologist.com germanymail.com graduate.org graffiti.net
  graphic-designer.com greenmail.net groupmail.com hackermail.com hairdresser.net hilarious.com hiphopfan.com
  homemail.com hot-shot.com housemail.com humanoid.net innocent.com inorbit.com instruction.com instructor.net
  insurer.com irelandmail.com israelmail.com italymail.com job4u.com journalist.com keromail.com kissfans.com
  kittymail.com koreamail.com law.com lawyer.com legislator.com linuxmail.org loveable.com lovecat.com scientist.com
  madonnafan.com madrid.com mail-me.com marchmail.com metalfan.com mexicomail.com minister.com moscowmail.com munich.com
  musician.org muslim.com myself.com net-shopping.com ninfan.com nonpartisan.com null.net nycmail.com optician.com
  orthodontist.net pacific-ocean.com pacificwest.com pediatrician.com petlover.com photographer.net physicist.net
  planetmail.com planetmail.net playful.com polandmail.com politician.com post.com presidency.com priest.com
  programmer.net protestant.com psychologist.net publicist.com qualityservice.com radiologist.net ravemail.com
  realtyagent.com reborn.com recycler.com reggaefan.com registerednurses.com religious.com repairman.com
  representative.com rescueteam.com rocketship.com royal.net safrica.com saintly.com salesperson.net samerica.com
  sanfranmail.com scotlandmail.com secretary.net singapore.com snakebite.com socialworker.net sociologist.com
  solution4u.com songwriter.net soon.com spainmail.com swedenmail.com swissmail.com teachers.org tech-center.com
  technologist.com theplate.com therapist.net toke.com toothfairy.com torontomail.com tvstar.com umpire.com
  unforgettable.com usa.com uymail.com webname.com whoever.com winning.com witty.com worker.com workmail.com writeme.com
  yours.com

  gmx.de gmx.net gmx.com gmx.at gmx.ch gmx.biz gmx.co.uk gmx.es gmx.eu gmx.fr gmx.info gmx.li gmx.org gmx.us web.de
  mail.de email.de firemail.de freenet.de arcor.de berlin.de online.de onlinehome.de
  laposte.net mailo.com netcourrier.com voila.fr chez.com iespana.es
  libero.it virgilio.it inwind.it iol.it blu.it email.it supereva.it poste.it katamail.com jumpy.it interfree.it
  terra.es hispavista.com mixmail.com ozu.es
  sapo.pt portugalmail.pt mail.pt iol.pt aeiou.pt
  bluemail.ch spray.se luukku.com suomi24.fi jubii.dk ofir.dk start.no hot.ee mail.ee inbox.lv inbox.lt one.lt apollo.lv

  wp.pl o2.pl onet.pl onet.eu op.pl vp.pl interia.pl interia.eu gazeta.pl tlen.pl go2.pl poczta.fm buziaczek.pl
  autograf.pl seznam.cz post.cz centrum.cz atlas.cz volny.cz sweb.cz azet.sk centrum.sk zoznam.sk pobox.sk post.sk
  freemail.hu citromail.hu indamail.hu vipmail.hu c3.hu gportal.hu abv.bg mail.bg dir.bg lex.bg go.ro
  mail.gr in.gr freemail.gr pathfinder.gr mynet.com walla.com walla.co.il nana.co.il maktoob.com masrawy.com
  albawaba.com saudia.com

  mail.ru bk.ru list.ru inbox.ru internet.ru xmail.ru yandex.ru yandex.com ya.ru yandex.by yandex.kz yandex.ua
  yandex.com.tr narod.ru rambler.ru lenta.ru autorambler.ru myrambler.ru ro.ru rambler.ua pochta.ru front.ru land.ru
  newmail.ru nm.ru hotbox.ru km.ru rin.ru chat.ru ukr.net i.ua meta.ua bigmir.net email.ua mail.kz tut.by

  qq.com foxmail.com 163.com 126.com 188.com yeah.net 163.net sina.com sina.cn sohu.com tom.com 21cn.com 139.com 189.cn
  wo.cn aliyun.com 263.net naver.com hanmail.net daum.net nate.com kakao.com empas.com empal.com goo.jp infoseek.jp
  yam.com pchome.com.tw sanook.com plasa.com detik.com rediffmail.com rediffmailpro.com rediff.com indiatimes.com
  sify.com in.com india.com webindia123.com

  uol.com.br bol.com.br terra.com.br ig.com.br globo.com globomail.com oi.com.br r7.com zipmail.com.br pop.com.br
  superig.com.br terra.com terra.cl terra.com.ar ciudad.com.ar montevideo.com.uy webmail.co.za vodamail.co.za
  ananzi.co.za
`);

/** Domains where anyone can get an address, so no organization may claim them. */
const freeMail = new Set(
  `aol.com arcor.de bk.ru comcast.net duck.com fastmail.com free.fr freenet.de gmail.com gmx.at gmx.ch
  gmx.com gmx.de gmx.net googlemail.com hey.com hotmail.com hotmail.co.uk hotmail.de hotmail.fr
  icloud.com inbox.ru laposte.net libero.it list.ru live.com live.de live.nl mac.com mail.com mail.ru
  mailbox.org me.com msn.com naver.com orange.fr outlook.com outlook.de passport.com pm.me posteo.de
  proton.me protonmail.ch protonmail.com qq.com rambler.ru rediffmail.com rocketmail.com sbcglobal.net
  t-online.de tutanota.com tuta.io verizon.net wanadoo.fr web.de wp.pl yahoo.co.in yahoo.co.jp
  yahoo.co.uk yahoo.com yahoo.de yahoo.fr yandex.com yandex.ru ymail.com zoho.com 126.com 163.com`.split(
    /\s+/,
  ),
);

export const isFreeMail = (domain: string): boolean => freeMail.has(domain);

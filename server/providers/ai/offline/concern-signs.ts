import type { ReadableLanguage } from './which-language.ts';

/** What alone says little, and together that a customer has trouble: a kind in two lines, or two kinds. */
const signs: Record<ReadableLanguage, readonly RegExp[]> = {
  en: [
    // It happens repeatedly, or for long.
    /\b(?:wait(?:s|ed|ing)?(?: \w+){0,3} (?:since|for) (?:\d+|two|three|four|five|six|several|many)|(?:\d+|two|three|four|several) (?:weeks|wks|months) (?:late|behind|overdue|wait)|every (?:single|mon|tue|wed|thu|fri)\w*|oldest \d\d+ days|(?:third|fourth|fifth|sixth|3rd|4th|5th|6th) (?!party|quarter|floor|office|location|team|year|site|phase|place|largest|call of|of (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))\w+|passed (?:around|on)|no end in sight|again|twice|three times|several times|(?:second|third|fourth|fifth|2nd|3rd|4th|5th|\d+th) (?:time|month|outage|ticket|week|in|invoice|session|person|csm)|in a row|running\b(?= and)|another\b(?! (?:team|office|branch|year|site))|yet again|every (?:time|day|morning|week)\b.*\b(?:wait|call|repeat|retype|fix|explain)|same (?:ticket|issue|problem|screenshot|question|story|thing)|since (?:sun|mon|tue|wed|thu|fri|sat|last|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*|(?:for|open|after|in) (?:\d+|two|three|four|five|six|eight) (?:weeks|months|days|wks))\b/i,
    // It fails.
    /\b(?:dispute\w*|mistakes?|errors? again|charged for|overcharg\w*|(?:isn't|wasn't|aren't|weren't|hasn't|haven't)(?=[ ,;.])|behind (?:plan|schedule)|slipp(?:ed|ing)|guess(?:work|es|ing)?|logs? (?:\w+ ){0,2}out|kicks? (?:\w+ ){0,2}out|on fire|returns? (?:nothing|empty)|no effect|(?:is|are|were|was) waiting|in danger|at stake|for nothing|mix-?up|(?:data )?leak(?:ed)?|times? out|going south|not going well|went badly|gone wrong|overdue|down\b(?! (?:to|from|\d))|outages?|fail(?:s|ed|ing|ure)?|wrong|empty|lost|loses?|without (?:a |any )?(?:word|answer|reply|notice|\w+ing)|missing|slow(?:er|ly)?|stuck|rejected|offline|switched .{0,20}off|too (?:low|high|small|few|many)|at all\b|excuses?|hours because|fro(?:ze|zen)|freezes|drops|dropped|crash\w*|logs? \w+ out|double[- ]?\w*|duplicates?|(?:too|\d+ (?:min|minutes|hours|h|days)) late|late in|off by|not (?:been )?(?:fixed|paid|arrived|done|working|there|imported|synced)|has not|have not|hasn't|haven't|(?:no|not a single|never (?:a|an|any)) (?:reply|response|answer|date|rca|eta|update|fix|value)|nobody|no one|never|doesn't|does not|didn'?t|can'?t|cannot|couldn't|won'?t|gone by|gave up|broken?)\b/i,
    // People work around it.
    /\b(?:on paper|use paper|by hand|manual(?:ly)?|spreadsheets?|excel|whiteboards?|pen (?:n|and|&) paper|back to (?:the |their )?(?:old|paper|calendar|phone|excel)|old (?:form|system|calendar|tool) back|uninstalled|retyp\w+|type .* twice|work(?:s|ing)? (?:nights|weekends))\b/i,
    // It is called an incident.
    /\b(?:post-?mortem|root cause|rca|roll(?:s|ed|ing)? back|hotfix|incidents?(?! response)|sla\b.*\b(?:line|breach|credit|missed)|sla credit|workaround|escalation\b|crisis)\b/i,
    // Others get involved, or it costs.
    /\b(?:(?:has|have|had) to (?:explain|justify|answer|defend)|committee|waive\w*|(?:discount|money) (?:for|because)|noticed|legal (?:dept|department|counsel|is involved)|formal (?:notice|complaint)|take (?:it|the (?:cost|bill)) over|who can (?:actually )?(?:decide|help)|different (?:csm|contact|product|account manager)|(?:new|other|another) (?:csm|account manager)|above me|(?:his|her|their|my|our) (?:boss|board|auditors?|accountant|ceo|cfo|safety officer|lawyer|union|chair|crew|guests|customers?)|safety officer|lawyers?|legal letter|union|regulator|auditors?|authority|in writing|damage|compensation|refund\w*|money (?:for .*)?back|credit note|\d+ ?k?(?: usd| eur|€|\$)? (?:damage|lost)|not paid|invoice until|holds? back|unions?|wrote a letter|liability|threaten\w*|\bsue\b|privacy officer|emergency|found out|not from us|who (?:pays|is paying)|costs? (?:him|her|them|us)|compensat\w+|because of (?:our|your|us|you)|left (?:us|them|because))\b/i,
    // They look for the exit.
    /\b(?:cancel(?:l?ed|s) (?:our|the|two|both|all)|stop(?:s|ped)? paying|quit(?:s|ting)? using|stopp?(?:s|ed|ing)? using|give(?:s)? (?:it|us) until|until (?:we|they) know|quarterly|last try|(?:building|build|builds|built) (?:\w+ )?(?:his|her|their) own|(?:building|builds?) .{0,30}(?:replacement|in-house|alternative)|asked (?:me|us) to stop|builds? (?:it|something) (?:him|her|them)sel\w+|champion\b.*\b(?:moved|left|leaving|gone)|(?:nobody|no one) (?:attended|came|joined)|no-?show|show(?:ed)? up|not renewing|cancellation (?:terms|policy)|notice (?:period|letter)|exit(?: clause)?|alternatives|other offers|doing without|without us|for now\b|contract (?:is up|till|until|ends|runs out)|demo with|pilot with|only \d+ of \d+|halved|\d+ -> \d+ since|first contact in|hold until|on hold|put it on hold|pulls? the plug|sign early|not (?:a )?yes|get (?:their|our) data out|uninstall\w*|month(?:ly|-to-month) instead|instead of (?:yearly|annual)|reason to (?:stay|keep|renew)|(?:local|other|another|two|three) (?:providers?|vendors?)|used to (?:call|use|love)|why (?:they|we|am i|do i|do we) pay(?:ing)?)\b/i,
    // Feelings, and demands.
    /\b(?:becoming a (?:pattern|habit)|never (?:warmed|took|got used)|(?:doesn't|don't|didn't) (?:see|know) what|(?:bad|uneasy|worrying|strange|odd|funny) (?:feeling|sign|vibe|mood)|guarded|done being|(?:has|have|had) had (?:it|enough)|(?:afraid|scared|fears?) (?:that|of)|out of patience|(?:isn't|aren't|not) (?:doing|paying) (?:any|until)|apolog\w+|exhausted|tired|cold|barely|patience|trusts?|embarrass\w*|laughs? at|make(?:s)? jokes|defend|defended|expects?|wonders? (?:whether|if|why)|asked (?:not to|(?:me )?(?:straight )?whether)|(?:him|her|them)self|the weekend|wants to know (?:who|why|what|when)|cried(?! a little)|asked (?:who|why|when|where|what it would)|fine[,.] fine|kept it together|hear(?:s)? (?:the exit|it from)|would rather not|has been (?:told|asked) to|would like .* back|nightmare|politely?|truly|said that (?:is|was) what|i need (?:a|an) (?:date|answer|fix))\b/i,
    // What they say of it, in irony or in negation.
    /["“„'‘](?:[^"”]*\b(?:not|n't|no|never|nobody|anybody|why|another|need|promised|told|if i have to|until|whether)\b[^"”]*)["”'’]/iu,
    /^(?:but|still|yet|however|anyway)\b/i,
    // Few use it, or rate it low.
    /\bnps\b[^\d]{0,24}[0-5]\b(?![.,\d%])|\b(?:first|avg|average) (?:reply|response)\b.*\b\d\d+ ?h\b|(?:hardly|barely|rarely|scarcely) (?:anyone |anybody )?(?:us\w+|log\w*|open\w*)/i,
  ],
  de: [
    /(?<!\p{L})(?:wartet? (?:seit|schon)|warten (?:seit|schon)|jeden (?:montag|dienstag|mittwoch|donnerstag|freitag)|(?:dritte|vierte|fünfte|sechste)[rsnm]? (?!quartal|etage|stock|jahr|standort|phase|team)\p{L}+|weitergereicht|weiterverbunden|warteschleife|ältestes \d\d+ tage|wieder(?! (?:da|gut|gern|kaufen))|nochmals?|erneut|zwei-? ?mal|zweimal|dreimal|mehrfach|mehrmals|jedes mal|jeden tag|zum (?:\d\.|zweiten|dritten|wiederholten) mal|(?:zweite|dritte|vierte|fünfte)[rsn]? (?:vorfall|rechnung|ausfall|monat|mal|woche|ticket|ansprechpartner)|in folge|schon wieder|doppelt|dreifach|seit (?:so|mo|di|mi|do|fr|sa|\d|mai|juni|juli|januar|februar|märz|april|august|september|oktober|november|dezember|wochen|monaten|aug|sept|okt|nov|dez|jan|feb|dem)\p{L}*|immer noch|noch immer|dasselbe|derselbe)(?!\p{L})/iu,
    /(?<!\p{L})(?:streit\p{L}*|mit (?:diesem|demselben|dem gleichen) fehler|zu viel berechnet|hinter (?:dem )?plan|kam nicht|kamen nicht|kommen(?: \p{L}+){0,3} nicht|schätzen|geraten|meldet (?:\p{L}+ )?(?:\p{L}+ ){0,4}ab|wirft (?:\p{L}+ ){1,3}raus|in gefahr|auf dem spiel|brennt|weg\b(?=[.!"“]|$)|umsonst (?:bezahlt|gekauft)|für nichts|läuft (?:gar |überhaupt )?nicht gut|läuft schlecht|schief ?gelaufen|geht schief|überfällig|datenpanne|brechen|ausfall|ausfälle|ausgefallen|offline|abgeschaltet|abgestellt|überhaupt|ausrede\p{L}*|zu (?:niedrig|hoch|klein|wenig)|von gestern|fehlt|fehlen|falsch\p{L}*|leer\p{L}*|verloren|entgangen\p{L}*|verzug|zu spät|langsam\p{L}*|abgelehnt|abgestürzt|gescheitert|meldet (?:leute|sie|uns|alle) \p{L}+ ?\p{L}* ab|keine? (?:antwort|rückmeldung|reaktion|lösung|termin|ticket\p{L}*)|nie(?:mand)?|keiner|nicht (?:bezahlt|behoben|da|gelöst|angekommen|synchronisiert|passieren|mehr|im release)|nie gelöst|kommentarlos|bricht ab|standen|kaputt|halbiert|funktioniert nicht|geht nicht|drei tage|verschoben)(?!\p{L})/iu,
    /(?<!\p{L})(?:auf papier|von hand|händisch|manuell|nacharbeiten|nachpflegen|abtelefonieren|excel|zettel|ins buch|alten? formular|(?:app|tool) gelöscht|arbeite[nt]? (?:seit .* )?doppelt|am wochenende dran|abtippen)(?!\p{L})/iu,
    /(?<!\p{L})(?:postmortem|ursache\p{L}*|vorfall\p{L}*|vorfälle|zurücksetzen|setzt .* zurück|rollback|hotfix|notfall-?update|sla|krise\p{L}*|eskalation)(?!\p{L})/iu,
    /(?<!\p{L})(?:(?:muss|musste|müssen)(?: \p{L}+){0,6} (?:erklären|rechtfertigen)|ausschuss|erlassen|gebühr\p{L}* (?:zurück|erlassen)|gemerkt|entscheiden darf|(?:anderen|neuen) (?:ansprechpartner|betreuer)\p{L}*|übernehmen wir die kosten|kosten übernehmen|mahnung|sicherheitsbeauftragte\p{L}*|behörde|anwalt|anwälte|rechtsabteilung|abmahnung|steuerberater|betriebsrat|vorstand|geschäftsführung|gf|(?:ihre?|seine?|deren) (?:chef|chefin|vorstand|steuerberater|prüfer|gäste|kunden|gf)|schriftlich|schaden|erstatte\p{L}*|gutschrift|schadenersatz|geld zurück|haftung\p{L}*|klage|klagen|droht|drohen|datenschutzbeauftragte\p{L}*|notdienst|nicht von uns|wer (?:das )?(?:be)?zahlt|kostet (?:ihn|sie|uns)|\p{L}*-?gutschrift|unser (?:fehler|abgleich)|nicht bezahlt|zahlt erst|kunden von denen|leeren händen)(?!\p{L})/iu,
    /(?<!\p{L})(?:termine? abgesagt|zahl(?:t|en) (?:gar )?nichts? mehr|gar nicht mehr|nicht mehr (?:nutzen|benutzen|nehmen)|frist bis|bis wir wissen|quartalsweise|gibt uns bis|letzter versuch|baut sich|bauen sich|selbst gebaut|umsehen|nur noch (?:um|für|bis) \p{L}*|testet (?:nebenher|parallel)|niemand (?:kam|da)|nicht erschienen|kündig\p{L}*|ausstieg|alternativen|andere angebote|ohne uns|ohne ginge|vorerst|vertrag bis|nur \d+ von \d+|erster kontakt seit|pausieren|auf eis|wechsel|früher zwei|gelöscht|gestrichen|nicht unterschreiben|durchrechnen|monatlich statt|statt jährlich|grund,? zu bleiben|anbietern?|abschalten)(?!\p{L})/iu,
    /(?<!\p{L})(?:zur gewohnheit|nie warm|weiß nicht, was|kein gutes gefühl|ungutes gefühl|komische stimmung|(?:hat|haben) angst|mies\p{L}*|na toll|bravo|veräppelt|verarscht|verschaukelt|hingehalten|blamiert\p{L}*|nase voll|deutlich gemacht|so nicht|langsam reicht|verwaltet|entschuldig\p{L}*|erschöpft|müde|kühl|eisig|geduld|vertrauen|peinlich|lacht mich aus|fragt sich|wollte es nicht hören|klang|sagt aber|gerade noch|hätte gern|möchte .* kein\p{L}*|will wissen|das wochenende|selbst hin\p{L}*|fragt direkt|erwartet|ich brauche (?:ein|eine|keine)|sachlich|knapp|höflich|nett wie immer|leider|ausgerechnet|passt schon|schau ma|eh alles okay)(?!\p{L})/iu,
    /["“„»](?:[^"”“«]*(?<!\p{L})(?:nicht|kein|keine|nie|niemand|warum|schon wieder|brauche|überhaupt|erst|ohne|vielen dank auch|mal sehen|schau)(?!\p{L})[^"”“«]*)["”“«]/iu,
    /^(?:aber|trotzdem|dennoch|nur)(?!\p{L})/iu,
    /(?<!\p{L})nps(?!\p{L})[^\d]{0,24}[0-5](?![.,\d%])|(?:erste antwort|antwortzeit|reaktionszeit)[^\d]{0,20}\d\d+ ?(?:h|std|stunden)|kaum (?:noch|jemand|einer)|(?:nutzt|öffnet|verwendet)(?: \p{L}+){0,3} kaum/iu,
  ],
};

const praise =
  /\b(?:happy|love|loves|great|smooth|impressed|recommend|renewed|signed|easy|faster|wow|begeistert|zufrieden|super|genial|empfiehlt|empfohlen|klasse|prima|unterschrieben|problemlos|schneller|gefällt)\b/iu;

/** "44 of 300 seats are active", "logins: 41 in Aug, 17 in Sep, 6 in Oct" */
const use =
  /(?<!\p{L})(?:active|aktiv\p{L}*|logins?|logged in|users?|usage|nutz\p{L}+|anmeldungen|adoption|sessions?|seats?|plätze|lizenzen|licen[cs]es)(?!\p{L})/iu;
const share = /(?<![\d.,])(\d{1,6}) (?:of|von|out of) (?:\p{L}+ )?(\d{1,6})(?![\d.,]\d)/u;
const three = /(?<![\d.,])(\d{1,6})(?![\d.,]*\d)\D{1,14}(\d{1,6})\D{1,14}(\d{1,6})(?![\d.,]*\d)/u;
const fall =
  /(?<![\d.,])(\d{1,6}) ?%?(?:\D{0,20}?\b(?:to|auf|now|jetzt|down to)\D{1,12}|\s?(?:->|→)\s?)(\d{1,6})(?![\d.,]\d)/u;
const low = 0.34;
const half = 0.5;
/** Counts twice. */
const useKinds = [-1, -2];

function isLittleUsed(sentence: string): boolean {
  if (!use.test(sentence)) return false;
  const [, part, whole] = share.exec(sentence)?.map(Number) ?? [];
  if (part !== undefined && whole !== undefined && whole > 3 && part / whole < low) return true;
  const [, was, now] = fall.exec(sentence)?.map(Number) ?? [];
  if (was !== undefined && now !== undefined && was > 3 && now / was <= half) return true;
  const [, first, second, third] = three.exec(sentence)?.map(Number) ?? [];
  if (first === undefined || second === undefined || third === undefined) return false;
  return first > second && second > third && third / first < low;
}

/** Returns the kinds of signs that a sentence shows. */
export const signsIn = (sentence: string, language: ReadableLanguage): number[] => [
  ...signs[language].flatMap((sign, kind) => (sign.test(sentence) ? [kind] : [])),
  ...(isLittleUsed(sentence) ? useKinds : []),
];

export const isPraise = (sentence: string) => praise.test(sentence);

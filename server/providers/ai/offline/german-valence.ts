import type { Valence } from './valence.ts';

/** Stems of German words about products, service, and moods, with values from -4 to 4. Written for Rapport. */
const stems: readonly (readonly [number, RegExp])[] = [
  [
    3,
    /^(?:begeistert?|fantastisch|hervorragend|exzellent|perfekt|überragend|traumhaft|großartig\p{L}*|lieben|liebt)$/u,
  ],
  [
    2.4,
    /^(?:super|toll\p{L}*|klasse|spitze|ausgezeichnet\p{L}*|beeindruckt|glücklich\p{L}*|reibungslos\p{L}*|einwandfrei\p{L}*|problemlos\p{L}*|stolz|empfiehlt|empfehlen|weiterempfehlen|gelobt|lobt|loben|lob|übertroffen|gerettet|dankbar)$/u,
  ],
  [
    1.8,
    /^(?:zufrieden\p{L}*|freut|freuen|gefällt|gefallen|gut|gute[nrs]?|schön\p{L}*|hilfreich\p{L}*|engagiert|angenehm\p{L}*|nett\p{L}*|positiv\p{L}*|erfolgreich\p{L}*|erfolg|überzeugt|stabil|zuverlässig\p{L}*|intuitiv\p{L}*|verlässlich|erreicht|grün)$/u,
  ],
  [
    1,
    /^(?:schnell\p{L}*|einfach\p{L}*|klappt|läuft|funktioniert|besser\p{L}*|prima|rund|passt|okay|angekommen|gerne?|bedankt|dankt|leicht)$/u,
  ],
  [
    -1,
    /^(?:fehlt|fehlen|langsam\p{L}*|träge|schwierig\p{L}*|unklar|offen|verzögert|verzögerung\p{L}*|leider|teuer|mühsam|umständlich\p{L}*|kompliziert\p{L}*|unsicher|zögert|verspätet)$/u,
  ],
  [
    -1.8,
    /^(?:problem\p{L}*|fehler\p{L}*|falsch\p{L}*|störung\p{L}*|schlecht\p{L}*|sorge[n]?|bedenken|besorgt|verwirrt|unübersichtlich|skeptisch|kritisch|kritik|kritisiert|risiko|abbruch|abbrüche|überfordert|schwach\p{L}*|mangelhaft|nervt|ärgerlich|schief|gefährdet|wackelt|schleppend)$/u,
  ],
  [
    -2.6,
    /^(?:verärgert\p{L}*|sauer|stinksauer|wütend|genervt|frustriert\p{L}*|frust|enttäuscht\p{L}*|enttäuschung|unzufrieden\p{L}*|beschwer\p{L}*|ärger|kündig\p{L}*|kaputt\p{L}*|defekt|unbrauchbar\p{L}*|inakzeptabel|peinlich|katastroph\p{L}*|furchtbar\p{L}*|schrecklich\p{L}*|miserabel|ausfall|ausfälle|absturz|abstürze|eskal\p{L}*|vertrauensverlust|schlimm\p{L}*)$/u,
  ],
];
const phrases: readonly (readonly [number, RegExp])[] = [
  [
    2,
    /über (?:plan|ziel)|alles (?:gut|grün|bestens)|kommen gut zurecht|kommt gut an|läuft (?:rund|super|gut|bestens)|keine (?:probleme|offenen punkte|beschwerden)|ohne (?:einen einzigen )?fehler|wäre referenz|als referenz/,
  ],
  [
    -2,
    /geht (?:so |das )*nicht|funktioniert nicht|klappt nicht|läuft nicht|nicht (?:zufrieden|akzeptabel|gut)|schon wieder|immer noch nicht|keine (?:rückmeldung|antwort)|zu teuer|geduld|allein gelassen/,
  ],
];
const negation = /^(?:nicht|kein\p{L}*|nie|niemals|ohne|weder|kaum)$/u;
const strong =
  /^(?:sehr|extrem|total|wirklich|richtig|besonders|absolut|mega|echt|super|völlig|furchtbar)$/;
const weak = /^(?:etwas|wenig|eher|bisschen|leicht|teilweise|halbwegs)$/;
const longest = 400;

/** Rates one German line by its words, with intensifiers and negations among the three before. */
export function readGermanValence(text: string): Valence {
  const line = text.slice(0, longest).toLowerCase();
  const words = line.match(/\p{L}+/gu) ?? [];
  const hits: { word: string; value: number }[] = [];
  words.forEach((word, at) => {
    const rated = stems.find(([, pattern]) => pattern.test(word));
    if (!rated) return;
    const before = words.slice(Math.max(0, at - 3), at);
    const isNegated =
      before.some((one) => negation.test(one)) || /^(?:nicht)$/.test(words[at + 1] ?? '');
    const factor = before.some((one) => strong.test(one))
      ? 1.3
      : before.some((one) => weak.test(one))
        ? 0.7
        : 1;
    const value = rated[0] * factor;
    hits.push({ word, value: isNegated ? (value > 0 ? -0.8 * value : -0.4 * value) : value });
  });
  for (const [value, pattern] of phrases) {
    const match = pattern.exec(line);
    if (match) hits.push({ word: match[0], value });
  }
  const good = hits.reduce((sum, { value }) => sum + Math.max(0, value), 0);
  const bad = hits.reduce((sum, { value }) => sum + Math.min(0, value), 0);
  return { good, bad, hits };
}

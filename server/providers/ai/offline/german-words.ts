/**
 * What people commit to in German notes. Separable prefixes stand before `|`; a third form follows
 * where the third person changes its vowel.
 */
const verbs = `
  schicken senden mailen schreiben exportieren importieren prüfen klären fragen an|fragen nach|fragen
  melden zurück|melden rück|melden an|rufen zurück|rufen holen ein|holen liefern nach|liefern erstellen entwerfen:entwirft
  vor|bereiten bereiten ein|richten an|legen hoch|laden:lädt teilen testen messen:misst nach|messen:misst
  korrigieren aktualisieren bestätigen buchen organisieren planen ein|planen ab|stimmen besprechen:bespricht
  bestellen unterschreiben gegen|zeichnen frei|schalten verschieben sammeln:sammelt:sammle übernehmen:übernimmt kümmern
  informieren erinnern:erinnert:erinnere ein|laden:lädt vor|stellen nach|stellen ergänzen beheben fixen reparieren dokumentieren
  zusammen|fassen weiter|leiten weiter|geben:gibt geben:gibt nennen antworten beantworten analysieren untersuchen
  schauen an|schauen nach|schauen nach|sehen:sieht an|sehen:sieht heraus|finden raus|finden wiederholen migrieren auf|setzen
  aus|füllen an|passen aus|rollen präsentieren zeigen vereinbaren an|setzen ab|schließen besorgen beschaffen
  öffnen schließen stoppen widersprechen hinweisen zusenden an|fordern:fordert ein|fordern:fordert verteilen veröffentlichen verschicken ver|senden zu|senden zu|schicken raus|schicken nach|reichen ein|reichen
  mit|bringen bringen machen erledigen eskalieren an|stoßen:stößt an|schieben überarbeiten begleiten berichten
  überweisen erstatten gut|schreiben dazu|holen zu|sagen vor|schlagen:schlägt an|kündigen um|stellen umbauen
  ab|klären auf|bereiten aus|werten bei|fügen durch|gehen durch|führen ein|bauen ein|binden ein|tragen:trägt nach|tragen:trägt ein|spielen entscheiden erhöhen:erhöht
  formulieren frei|geben:gibt verlängern:verlängert hinter|legen konfigurieren kontaktieren löschen mit|teilen nach|haken nach|fassen notieren
  priorisieren protokollieren rein|stellen reservieren sichern:sichert sichten starten stornieren validieren vergleichen
  vervollständigen zeichnen zusammen|stellen bereit|stellen zu|weisen zurück|setzen terminieren schulen deaktivieren aktivieren archivieren abonnieren
  bauen benennen bezahlen definieren ersetzen installieren integrieren leeren listen melden neu|starten optimieren raus|geben:gibt
  reden sprechen:spricht treffen:trifft trennen umziehen verbinden verfassen vermerken weiter|verfolgen widerrufen`;

const infinitives = new Set<string>();
/** "schicke", "melde": the first person, without its prefix. */
export const firstPerson = new Set<string>();
/** "schickt", "meldet", "gibt": the third person, without its prefix. */
export const thirdPerson = new Set<string>();
/** "schicken": the plural, without its prefix. */
export const plural = new Set<string>();

for (const verb of verbs.trim().split(/\s+/)) {
  const [written = '', third, first] = verb.split(':');
  const whole = written.replace('|', '');
  const base = written.split('|').at(-1) ?? '';
  const stem = base.replace(/e?n$/, '');
  infinitives.add(whole);
  infinitives.add(written.includes('|') ? written.replace('|', 'zu') : base);
  plural.add(base);
  firstPerson.add(first ?? `${stem}e`);
  thirdPerson.add(third ?? (/[td]$|[^lrhmn][mn]$/.test(stem) ? `${stem}et` : `${stem}t`));
}

export const isInfinitive = (word: string) => infinitives.has(word.toLowerCase());

/** Whom a word of notes stands for. */
export const people: Record<string, string> = {
  ich: 'me',
  wir: 'us',
  er: 'customer',
  sie: 'customer',
  kunde: 'customer',
  kundin: 'customer',
  'der kunde': 'customer',
  'die kundin': 'customer',
};
/** Words that begin a line and are no people. */
export const things =
  /^(?:der|die|das|ein|eine|einen|dem|den|es|team|nutzung|verlängerung|support|vertrieb sagt|produkt sagt|export|import|dashboard|vertrag|rechnung|preis|preise|update|app|api|termin|gespräch|stimmung|frage|fragen|admin|agenten|schulung|nächste|nächster|leitung|geschäftsführer|alle|alles|beide|nichts|niemand|keiner|danach|dann|viel|sehr|auch|noch|schon|aber|und|bitte|heute|morgen|kurz|mail|folien|angebot|wer|was|wie|wenn|wann|hatte|plätze|lizenzen|seit|ticket)$/iu;

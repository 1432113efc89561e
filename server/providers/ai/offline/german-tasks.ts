import { germanPromise, ofNamed } from './german-promises.ts';
import { firstPerson, isInfinitive, people, plural, things, thirdPerson } from './german-words.ts';
import { ownedTask } from './owned-task.ts';
import { isPerson, ownerOf } from './people.ts';
import type { Found, Reading } from './task-lines.ts';

const finite =
  /\b(?:ist|sind|war|waren|hat|haben|hatte|hatten|wurde|wurden|will|wollen|wollte|möchte|möchten|braucht|brauchen|kann|können|konnte|geht|gehen|ging|läuft|laufen|lief|fehlt|fehlen|findet|fand|sagt|sagte|meint|nutzt|nutzen|funktioniert|bleibt|bleiben|endet|beginnt|startet|kommt|kam|gibt es|wäre|sieht keinen|gefällt|hält|wirkt|dauert|verliert|droht|entscheidet|entscheiden|wechselt|steht|stehen|freut|bedankt|erwartet|heißt|mag)\b/iu;
/** Short dates that are themselves deadlines. */
const soon = /\b(?:heute|morgen|sofort|asap|umgehend)\b/iu;
const works =
  /\b(?:e-?mail|mail|angebot|rechnung|zusammenfassung|entschuldigung|bericht|plan|update|antwort|folien|vertrag|rückruf|link|protokoll|gutschrift|einladung|agenda|liste|unterlagen)\b/iu;
const events =
  /\b(?:nächster (?:termin|call)|nächstes gespräch|termin am|prüfgespräch|schulung \d|urlaub|abwesend|weg|vertrag endet|läuft aus|go-?live|wartung|stichtag|entscheidung|seit|lenkungskreis|verlängerung (?:ist|am|\d)|offen seit)\b/iu;
/** Returns the task that a German line states, or null. */
export function germanTask(reading: Reading): Found | null {
  return (
    germanPromise(reading) ??
    bySubject(reading) ??
    ofNamed(reading) ??
    bySelf(reading) ??
    toBeDone(reading) ??
    (reading.speaker === null ? (ownedTask(reading, { finite, events }) ?? thing(reading)) : null)
  );
}

/** What customers do for themselves, or only say. */
const notPromised =
  /^(?:frag|plan|nutz|test|bericht|zeig|entscheid|vergleich|start|bau|sprech|sprich|red|bring|mach|erweiter|verlänger|storn|erhöh|geb|gib|arbeit)\p{L}{0,3}$/u;
/** States rather than tasks, unless they have a date. */
const selfish =
  /^(?:leitet|stellt|zeigt|macht|bringt|startet|baut|spricht|redet|listet|zieht|sagt|gibt|beginnt|trifft|plant|testet)$/u;
const subject =
  /^(?:dann |und |also )?((?:der |die |das |unsere?r? |deren |frau |herr |dr\. |\p{L}+ (?=\p{Lu}\p{L}+ (?!\p{Lu})))?@?\p{L}[\p{L}.-]*)(?: \([^)]{1,30}\))?\s+(?:(werde|wird|werden|soll|sollen|muss|müssen|müsste|sollte)\s+(?:.*\s)?(?:(\p{L}+))[\s.,;!]*(?:\(|$|bis\b)|(\p{L}+)(?:[\s,]|$))/iu;

/** "Rosa exportiert die Liste bis Montag", "wir liefern", "Petra soll das klären". */
function bySubject(reading: Reading): Found | null {
  const whole = subjectOf(reading.task, reading);
  if (whole) return whole;
  const [, ...clauses] = reading.task.split(/[,;(]\s*|(?<=[.:!])\s+|\s(?:aber|und|->|=>|→)\s/);
  for (const clause of clauses) {
    const found = /^(?:der|die|das|dass|ob|wenn|weil)\b/iu.test(clause)
      ? null
      : subjectOf(clause.replace(/[)\s]+$/, ''), reading);
    if (found) return { ...found, what: reading.task };
  }
  return null;
}

function subjectOf(
  task: string,
  { due, owner, isListItem, isInSection, isMarked, speaker }: Reading,
): Found | null {
  const match = subject.exec(task);
  const who = (match?.[1] ?? '').replace(/^@/, '');
  const verb = (match?.[4] ?? '').toLowerCase();
  const known = people[who.toLowerCase()];
  const isRole =
    /^(?:rechtsabteilung|vertrieb|entwicklung|produkt|produktteam|support|buchhaltung|einkauf|it|legal|marketing|technik)$/iu.test(
      who,
    ) ||
    /^(?:unsere?r?|deren|die|der) /iu.test(who) ||
    /^(?:frau|herr|dr\.) /iu.test(who);
  const isName =
    known !== undefined ||
    isRole ||
    (/^\p{Lu}/u.test(who) && !things.test(who) && !/(?:ung|heit|keit|tion|ei)$/u.test(who));
  const both = /^(\p{Lu}\p{Ll}+ und ich) (\p{L}+)/u.exec(task);
  if (both?.[1] && plural.has(both[2] ?? '')) {
    return { what: task, owner: both[1], kind: 'subject' };
  }
  if (
    !match ||
    !isName ||
    /\b(?:jede[nrs]?|immer|oft|täglich|meistens|schon|bereits|nicht mehr|jetzt|etwa|monatlich|wöchentlich|montags|freitags)\b/iu.test(
      task,
    )
  )
    return null;
  const modal = match[2]?.toLowerCase();
  const isDone = modal ? isInfinitive(lastWord(task)) : isFiniteFor(who, verb);
  if (!isDone) return null;
  const isFirm =
    due !== null ||
    known === 'me' ||
    known === 'us' ||
    isListItem ||
    isInSection ||
    isMarked ||
    modal !== undefined ||
    known === undefined ||
    known === 'customer';
  if (!isFirm || (/\bob\b|\bdass\b/iu.test(task) && known === 'customer')) return null;
  if (/\b(?:uns|mich|mir)\b/iu.test(task) && verb === 'empfiehlt') return null;
  if (known === 'customer' && notPromised.test(verb)) return null;
  if (due?.on === undefined && selfish.test(verb)) return null;
  const named =
    known ??
    who.replace(/^(?:unsere?r?|deren|die|der) /iu, (article) =>
      /deren/i.test(article) ? article : '',
    );
  const by = known === 'me' ? (speaker ?? 'me') : ownerOf(named);
  return { what: task, owner: known ? (owner ?? by) : by, kind: 'subject' };
}

function isFiniteFor(who: string, verb: string): boolean {
  if (/^ich$/i.test(who))
    return firstPerson.has(verb) || /^(?:komme|hole|rufe|gebe|schaue|habe vor)$/.test(verb);
  if (/^wir$/i.test(who)) return plural.has(verb);
  if (/^sie$/i.test(who)) return plural.has(verb) || thirdPerson.has(verb);
  return thirdPerson.has(verb) || verb === 'übernimmt';
}

const inverted = /(?:^|[\s,(:-])(\p{L}+)\s+(ich|wir|sie|er)(?=[\s,.;!)]|$)/iu;

/** "Vergleich schicke ich bis Mi", "melde mich", "mache ich morgen". */
function bySelf({ task, owner, speaker, due }: Reading): Found | null {
  const self = speaker ?? 'me';
  const turned = inverted.exec(task);
  const [, verb = '', who = ''] = turned ?? [];
  if (
    turned &&
    !/\?\s*$/.test(task) &&
    !/\b(?:wenn|falls|dass|ob|weil)\b/iu.test(task.slice(0, turned.index + 1))
  ) {
    const word = verb.toLowerCase();
    const isI =
      /^ich$/i.test(who) && (firstPerson.has(word) || /^(?:werde|komme|mache)$/.test(word));
    const isWe = /^wir$/i.test(who) && (plural.has(word) || word === 'werden');
    const isThey =
      /^(?:sie|er)$/.test(who) && (plural.has(word) || thirdPerson.has(word)) && due !== null;
    if (isI) return { what: task, owner: owner ?? self, kind: 'verb' };
    if (isWe) return { what: task, owner: owner ?? 'us', kind: 'verb' };
    if (isThey) return { what: task, owner: owner ?? 'customer', kind: 'verb' };
  }
  const first = (
    /^(?:(?:dann|und|also|noch|klar|gut|ok|okay|sicher),? )*(\p{L}+)/iu.exec(task)?.[1] ?? ''
  ).toLowerCase();
  if (
    /^(?:liste|frage|sorge|kosten|termine?|karte|reise|wende|plane|teste|suche|hilfe|pflege|rolle|starte|schule)$/.test(
      first,
    ) &&
    !/^(?:plane|teste)$/.test(first)
  )
    return null;
  if (firstPerson.has(first) || /^(?:werde|muss|will noch)$/.test(first)) {
    const isInf = first !== 'muss' && first !== 'werde' ? true : isInfinitive(lastWord(task));
    if (isInf && task.split(/\s+/).length > 1)
      return { what: task, owner: owner ?? self, kind: 'verb' };
  }
  return null;
}

/** The last word before a date, a remark in brackets, or a clause. */
function lastWord(task: string): string {
  const clause =
    task
      .replace(/\(.*$/, '')
      .split(/[,;:]| - | – |\bbis\b|\bvor dem\b|\bspätestens\b|\bwegen\b/iu)[0] ?? '';
  const words = clause.match(/\p{L}+/gu) ?? [];
  return words.at(-1) ?? '';
}

/** "Vertragsliste exportieren (Mo)", "Vertrag bis 20.03. gegenzeichnen". */
function toBeDone({
  task,
  owner,
  speaker,
  due,
  isMarked,
  isListItem,
  isInSection,
}: Reading): Found | null {
  if (speaker !== null) return null;
  const arrow = /^(.*?)(?:->|=>|→)\s*(.+)$/.exec(task);
  const text = (arrow?.[2] ?? task).trim();
  const isMust = /^(?:muss|müssen|wir müssen|ich muss|bitte|noch|unbedingt)\b/iu.test(text);
  const words = text.match(/\p{L}+/gu) ?? [];
  if (words.length < 2) return null;
  const last = words.at(-1) ?? '';
  const isInf = (word: string) =>
    isInfinitive(word) && (/^\p{Ll}/u.test(word) || word === words[0]);
  const ends = [
    lastWord(text),
    last,
    ...text.split(/[,;(]| und | \+ /u).map((part) => part.match(/\p{L}+/gu)?.at(-1) ?? ''),
  ];
  if (!ends.some(isInf) && !(words[0] && isInf(words[0]))) return null;
  const head = text.split(/[,;]/)[0] ?? '';
  if (
    /\b(?:wenn|falls|weil|dass)\b/iu.test(text) ||
    /andere(?:n)? anbieter|alternativen/iu.test(text)
  )
    return null;
  if (finite.test(head) && !isMust) return null;
  if (/^(?:sie|er|es|wir)\b/iu.test(text) && !isMust) return null;
  if (
    /\b(?:zu|um|können|konnten|wollen|möchten|würden|lassen)\b/iu.test(head) &&
    !due &&
    !isMarked &&
    !isListItem &&
    !isInSection
  )
    return null;
  const by =
    owner ??
    (/^(?:muss|ich muss)\b/iu.test(text) ? 'me' : /^wir müssen\b/iu.test(text) ? 'us' : null);
  return { what: text, owner: by, kind: 'verb' };
}

function thing({ task, body, due, isInSection, isMarked }: Reading): Found | null {
  if (finite.test(task) || events.test(body)) return null;
  if (isMarked) return { what: task, owner: null, kind: 'marked' };
  if (task.split(/\s+/).length < 2 || /^(?:ich|wir|er|sie|es)\b/iu.test(task)) return null;
  if (due?.on && /^(?:rückruf|anruf|rückmeldung|callback|follow-?up)\b/iu.test(task))
    return { what: task, owner: null, kind: 'thing' };
  if (due?.isDeadline || (due !== null && soon.test(due.words) && works.test(task)))
    return { what: task, owner: null, kind: 'thing' };
  if (isInSection) return { what: task, owner: null, kind: 'section' };
  return null;
}

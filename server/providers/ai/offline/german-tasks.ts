import { germanPromise, ofNamed } from './german-promises.ts';
import { firstPerson, isInfinitive, plural, thirdPerson } from './german-words.ts';
import { ownedTask } from './owned-task.ts';
import { subjectOf } from './subject.ts';
import type { Found, Reading } from './task-lines.ts';

const finite =
  /\b(?:ist|sind|war|waren|hat|haben|hatte|hatten|wurde|wurden|will|wollen|wollte|möchte|möchten|braucht|brauchen|kann|können|konnte|geht|gehen|ging|läuft|laufen|lief|fehlt|fehlen|findet|fand|sagt|sagte|meint|nutzt|nutzen|funktioniert|bleibt|bleiben|endet|beginnt|startet|kommt|kam|gibt es|wäre|sieht keinen|könne|könnten|solle|müsse|sei|seien|dürfe|wolle|gefällt|hält|wirkt|dauert|verliert|droht|entscheidet|entscheiden|wechselt|steht|stehen|freut|bedankt|erwartet|heißt|mag)\b/iu;
/** Short dates that are themselves deadlines. */
const soon = /\b(?:heute|morgen|sofort|asap|umgehend)\b/iu;
const works =
  /(?:e-?mail|mail|angebot|rechnung|zusammenfassung|entschuldigung|bericht|plan|update|antwort|folien|vertrag|rückruf|link|protokoll|gutschrift|einladung|agenda|liste|unterlagen)\b/iu;
const events =
  /\b(?:nächster (?:termin|call)|nächstes gespräch|termin am|prüfgespräch|schulung \d|urlaub|abwesend|weg|vertrag (?:endet|bis|läuft)|läuft aus|go-?live|wartung|stichtag|entscheidung|seit|lenkungskreis|verlängerung (?:ist|am|\d)|offen seit)\b/iu;
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
  /^(?:frag|plan|nutz|test|bericht|zeig|entscheid|vergleich|start|bau|sprech|sprich|red|bring|mach|erweiter|verlänger|kündig|storn|erhöh|geb|gib|arbeit)\p{L}{0,3}$/u;
/** States rather than tasks, unless they have a date. */
const selfish =
  /^(?:leitet|stellt|zeigt|macht|bringt|startet|baut|spricht|redet|listet|zieht|sagt|gibt|beginnt|trifft|plant|testet)$/u;
const modal = /^(?:werde|wird|werden|soll|sollen|muss|müssen|müsste|sollte)\b/iu;
/** What is, and what people say or want. */
const stative =
  /^(?:ist|hat|habt|hätt|sagt|meint|fragt|lobt|findet|will|mag|möchte|nutzt|kennt|weiß|versteht|bleibt|kommt|geht|steht|liegt|läuft|heißt|wirkt|klingt|sieht|braucht|gefällt|freut|ärgert|hofft|glaubt|denkt|erwartet|wünscht|arbeitet|lebt|sitzt|betreut|vertraut|schätzt|bedankt|lacht|fest|selbst|zuerst|zunächst|mit|echt|passt|reicht|gehört|kostet|dauert|nicht|jetzt|fast|meist|erst|nimmt|fühlt|leidet|zweifelt|zögert|sollt|wollt|hielt|stellt|zeigt|war|wurde|kam|ging|lief|bat|tat|könnt|recht|gut|schlecht|leicht|laut)$/u;
/** The end of a separable verb: "stellt uns am 19. vor". */
const particle =
  /\s(?:vor|nach|ein|aus|an|auf|ab|zu|her|hin|raus|heraus|durch|weiter|zurück|bereit|zusammen|um|fest|mit|bei|frei|hoch|rein|rum|fertig|bescheid)[\s.!]*(?:\(.*|,.*|wer .*|ob .*|und .*)?$/iu;
/** "fragt ihre Chefin", but not "fragt nach dem Preis". */
const asking = /^fragt (?:bei|beim|im|in|ihren?|seinen?|die|den)\b/u;
const habit =
  /\b(?:jede[nrs]?|immer|oft|täglich|meistens|schon|bereits|nicht mehr|etwa|monatlich|wöchentlich|montags|dienstags|mittwochs|donnerstags|freitags|seit|bisher)\b/iu;

/** "Rosa exportiert die Liste bis Montag", "wir liefern", "Petra soll das klären". */
function bySubject(reading: Reading): Found | null {
  const labeled = /^[^:]{2,40}?(?::| [-–—]) (.+)$/u.exec(reading.task)?.[1];
  const whole =
    byClause(reading.task, reading, false) ?? (labeled ? byClause(labeled, reading, false) : null);
  if (whole) return whole;
  const [, ...clauses] = reading.task.split(
    /[,;]\s*|\s\((?=(?:sie|er|wir|ich|\p{Lu}\p{Ll}+)\s\p{Ll})|(?<=\p{L}{3}[.!]|:)\s+|\s(?:aber|und|-|->|=>|→)\s/u,
  );
  for (const clause of clauses) {
    const found = /^(?:der|die|das|dass|ob|wenn|weil)\b/iu.test(clause)
      ? null
      : byClause(clause.replace(/[)\s]+$/, ''), reading, true);
    if (found) return { ...found, what: reading.task };
  }
  return null;
}

function byClause(clause: string, reading: Reading, isInner: boolean): Found | null {
  const {
    due,
    owner: named,
    isListItem,
    isInSection,
    isNearTask,
    isMarked,
    speaker,
    naming,
  } = reading;
  const subject = subjectOf(clause, naming);
  if (!subject || (isInner && !subject.isKnown)) return null;
  const { predicate, isPlural, isKnown } = subject;
  const isTheirs = subject.owner === 'customer';
  if (/\b(?:ob|dass)\b/iu.test(clause) && isTheirs) return null;
  const isPronoun = /^(?:me|us|customer)$/.test(subject.owner);
  const by = subject.owner === 'me' ? (speaker ?? 'me') : subject.owner;
  const found: Found = { what: clause, owner: isPronoun ? (named ?? by) : by, kind: 'subject' };
  const isExpected = isInSection || isNearTask || isMarked;
  if (modal.test(predicate)) {
    const last = lastWord(clause);
    const end = clause.match(/\p{L}+/gu)?.at(-1) ?? '';
    return isInfinitive(last) || isInfinitive(end) || (isExpected && /^\p{Ll}+e?n$/u.test(last))
      ? found
      : null;
  }
  if (habit.test(clause) && !isInSection && !isMarked) return null;
  const verb = (/^(?:noch |dann |auch )?(\p{L}+)/u.exec(predicate)?.[1] ?? '').toLowerCase();
  if (verb === predicate.toLowerCase() && !isExpected) return null;
  const isSelf = subject.owner === 'me' && !/[+&/]|\sund\s/u.test(subject.words);
  const isSeparable = particle.test(clause);
  const isDoing =
    (isSelf
      ? firstPerson.has(verb) || /^(?:komme|hole|rufe|gebe|schaue|habe vor)$/.test(verb)
      : isPlural || /^sie$/.test(subject.words)
        ? plural.has(verb) || (!isPlural && thirdPerson.has(verb))
        : thirdPerson.has(verb)) &&
    (!stative.test(verb) || isSeparable || asking.test(predicate));
  const isAction =
    isSeparable ||
    (isSelf
      ? /^\p{Ll}{3,}[^n\P{L}]$/u.test(verb) && isExpected
      : isPlural
        ? /^\p{Ll}+e[rl]?n$/u.test(verb) &&
          !/^(?:haben|sind|wollen|können|möchten|finden|nutzen|brauchen|sehen|waren|hatten|denken|glauben|sagen|meinen)$/.test(
            verb,
          )
        : /^\p{Ll}{2,}t$/u.test(verb) && (!stative.test(verb) || asking.test(predicate)));
  if (isTheirs && notPromised.test(verb) && !isInSection) return null;
  if (!isExpected && !isSeparable && due?.on === undefined && selfish.test(verb)) return null;
  const isNamed = isKnown
    ? !isTheirs || /^(?:der |die )?kund(?:e|in)$/.test(subject.words)
    : /^\p{Ll}+ (?:den|die|das|dem|der|ein|eine|einen|uns|mir|dich|dir|euch|sich|mich|es|ihr|ihm|ihnen|alle|noch|bei|mit|nach)\b/u.test(
        predicate,
      );
  const isFirm = isDoing && (isNamed || due !== null || isListItem || isExpected);
  const isLikely =
    isAction && (isExpected || (due !== null && isKnown)) && (isKnown || isInSection);
  return isFirm || isLikely ? found : null;
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
      /^ich$/i.test(who) &&
      (firstPerson.has(word) ||
        firstPerson.has(`${word}e`) ||
        /^(?:werde|komme|mache)$/.test(word));
    const isDatedI =
      /^ich$/i.test(who) &&
      due?.on != null &&
      /^\p{Ll}{3,}e$/u.test(word) &&
      !/^(?:habe|hätte|finde|glaube|denke|meine|hatte|sehe|frage|hoffe|wäre|würde|wurde|konnte|wollte|sollte|musste|dachte|sagte)$/.test(
        word,
      );
    const isWe = /^wir$/i.test(who) && (plural.has(word) || word === 'werden');
    const isThey =
      /^(?:sie|er)$/.test(who) && (plural.has(word) || thirdPerson.has(word)) && due !== null;
    if (isI || isDatedI) return { what: task, owner: owner ?? self, kind: 'verb' };
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
  if (!ends.some(isInf) && !(words[0] && isInf(words[0]) && opening.test(text))) return null;
  const head = text.split(/[,;]/)[0] ?? '';
  if (
    /\b(?:wenn|falls|weil|dass)\b/iu.test(head) ||
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

/** "Klären, ob", "Prüfen mit": an order, while "planen heute" says what they do. */
const opening = /^\p{L}+(?:[,:]|\s(?:ob|mit|wer|wann|wie|was|wo|bei|dass|den|die|das|der|dem))/u;

/** "muss noch gebucht werden", "muss bis Montag raus", "Angebot geht bis Dienstag raus" */
const outstanding =
  /(?<!\p{L})(?:muss|müssen|sollte|soll)(?= )(?:[^.;?]*(?<!\p{L}))(?:\p{L}*ge\p{L}+(?:t|en)|\p{L}+(?:iert|tellt|ndet|schickt|legt)) werden(?!\p{L})|(?<!\p{L})(?:muss|müssen)(?= )(?:[^.;?]*(?<!\p{L}))(?:raus|her|stehen|fertig sein|weg)(?!\p{L})|(?:^|\s)(?:raus geht|geht(?= )[^.;?]*(?<!\p{L})raus)(?!\p{L})/iu;
const isNeeded = (task: string) =>
  outstanding.test(task) &&
  !/(?<!\p{L})(?:nicht|nichts|kein\p{L}*|wenn|falls|ob|dass)(?!\p{L})/iu.test(task);

function thing({
  task,
  body,
  due,
  isInSection,
  isMarked,
  isListItem,
  isNearTask,
}: Reading): Found | null {
  const isExpected = isInSection || isMarked || isListItem || isNearTask;
  if (isNeeded(task) && (due !== null || isExpected || /(?<!\p{L})noch(?!\p{L})/iu.test(task)))
    return { what: task, owner: null, kind: 'thing' };
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

import { isInfinitive, people, things, thirdPerson } from './german-words.ts';
import { isPerson, ownerOf } from './people.ts';
import type { Found, Reading } from './task-lines.ts';

/** Returns what is promised or owed in a German line. */
export const germanPromise = (reading: Reading): Found | null =>
  promised(reading) ?? reported(reading);

function promised({ body, task, owner, due, speaker }: Reading): Found | null {
  if (
    /\bwar(?:en)?\b[^.]*\bversprochen|\bangeblich\b|\bwurde\b[^.]*\b(?:zugesagt|versprochen)/iu.test(
      body,
    )
  )
    return null;
  const toUs = /^(sie|er|kunde|kundin|\p{Lu}\p{Ll}+) (?:schulden|schuldet) uns\b/iu.exec(task);
  if (toUs?.[1])
    return {
      what: task,
      owner: owner ?? people[toUs[1].toLowerCase()] ?? toUs[1],
      kind: 'promise',
    };
  const wants =
    /^(?:(?:der |die )?(kunde|kundin)|er|sie) (?:will|wollen|möchte) .*\b(\p{Ll}+)$/iu.exec(task);
  if (wants?.[2] && due?.isDeadline && isInfinitive(wants[2]) && /\b(?:uns|mir)\b/.test(task))
    return { what: task, owner: owner ?? 'customer', kind: 'promise' };
  const from =
    /(?<!\p{L})(?:bekommt|kriegt|erhält|bekommen|erhalten) (?:.* )?von (\p{Lu}\p{Ll}+)(?=[.,\s]|$)/u.exec(
      task,
    )?.[1];
  if (from && !things.test(from)) return { what: task, owner: owner ?? from, kind: 'promise' };
  const owed = /\b(wir|ich) schulden?\b|\bschulden? (?:wir|ich)\b/iu.exec(task);
  const isPromised =
    /\b(?:zugesagt|versprochen|zugesichert|in aussicht gestellt)\b/iu.test(task) && due !== null;
  const isGotten =
    /\b(?:haben|bekommen|erhalten|kriegen) Sie\b|\bSie (?:haben|bekommen|erhalten|kriegen)\b|\b(?:bekommt|kriegt|erhält|hat) (?:er|sie) [^.]*\bbis\b|(?<!\p{L})(?:bekommt|kriegt|erhält|bekommen|kriegen|erhalten)(?!\p{L})(?: [^.]*)?\b(?:von (?:uns|mir)|bis)\b/iu.test(
      body,
    ) && due !== null;
  if (!owed && !isPromised && !isGotten) return null;
  const isMine = /\bich\b|^habe?\b|\bvon mir\b/iu.test(body);
  return { what: task, owner: owner ?? speaker ?? (isMine ? 'me' : 'us'), kind: 'promise' };
}

function reported({ task, owner, speaker, due }: Reading): Found | null {
  const self = speaker ?? 'me';
  const reported =
    /\b(?:gesagt|vereinbart|versprochen|zugesagt|abgemacht|ausgemacht),? (?:dass )?(ich|wir)\b/iu.exec(
      task,
    );
  if (reported)
    return {
      what: task,
      owner: owner ?? (/ich/i.test(reported[1] ?? '') ? self : 'us'),
      kind: 'promise',
    };
  const must = /\b(?:müssen|werden) (wir|ich)\b/iu.exec(task);
  if (must && due !== null) return { what: task, owner: owner ?? 'us', kind: 'verb' };
  return null;
}

/** "Omar gebeten, …", "von Vera, bis Montag", "bis Freitag schickt Rosa die Liste". */
export function ofNamed({ task, owner, due, naming }: Reading): Found | null {
  const asked =
    /^(?:ich habe |habe? )?(\p{Lu}\p{Ll}+) (?:gebeten|gefragt, ob (?:er|sie)|beauftragt)\b/u.exec(
      task,
    );
  // "Die Beschaffung klärt Frau Roth.", "Termin schlägt der Kunde vor"
  const last =
    /\s(\p{Ll}+t)\s((?:Frau |Herr |Dr\. )?\p{Lu}\p{Ll}+|der Kunde|die Kundin)(?: (?:vor|nach|ein|ab|an|aus|auf|zu|raus|zusammen))?\s*[.!]?$/u.exec(
      task,
    );
  if (
    last?.[1] &&
    last[2] &&
    (thirdPerson.has(last[1]) || last[1] === 'schlägt') &&
    isPerson(last[2], { ...naming, isLoose: due !== null })
  )
    return { what: task, owner: owner ?? ownerOf(last[2]), kind: 'subject' };
  if (asked?.[1]) return { what: task, owner: owner ?? asked[1], kind: 'subject' };
  const byName = /\b(?:von|durch) (\p{Lu}\p{Ll}+)\b/u.exec(task);
  if (byName?.[1] && due?.isDeadline && !/(?:ung|heit|keit|tion)$/.test(byName[1])) {
    return { what: task, owner: owner ?? byName[1], kind: 'thing' };
  }
  const named = /^.+?\s(\p{Ll}+t)\s((?:Frau |Herr |Dr\. )?\p{Lu}\p{Ll}+)(?=\s)/u.exec(task);
  if (
    named?.[1] &&
    named[2] &&
    due !== null &&
    thirdPerson.has(named[1]) &&
    !things.test(named[2]) &&
    isPerson(named[2], { ...naming, isLoose: true })
  ) {
    return { what: task, owner: owner ?? named[2], kind: 'subject' };
  }
  return null;
}

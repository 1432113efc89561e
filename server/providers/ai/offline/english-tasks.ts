import { englishPromise } from './english-promises.ts';
import { baseOf, isVerb, pronouns, things } from './english-words.ts';
import { ownedTask } from './owned-task.ts';
import { isPerson, ownerOf } from './people.ts';
import type { Found, Reading } from './task-lines.ts';

/** Verbs in the third person that report, and promise nothing. */
const reporting =
  /^(?:say|ask|report|show|feel|want|need|like|love|hate|use|have|call|look|work|think|hope|think|expect|see|know|believe|own|handle|manage|run|lead|keep|move|start|finish|fall|take|get|make|offer|talk|try|give|put|turn|read|pass|produce|meet)s$/;
/** Verbs that are nouns as often: an object must follow. */
const nounsToo =
  /^(?:intro|call|demo|report|plan|order|quote|review|check|test|update|email|mail|list|name|note|offer|share|show|process|trial|design|build|buy|pay|pass|track|train|store|sort|visit|work|talk|try|turn|type|post|present|press|phone|text|time|support|set|run|read|raise|record|release|request|research|reserve|reset|respond|return|label|launch|look|map|mark|measure|model|move|handle|help|host|import|export|file|figure|fill|fix|flag|focus|follow|format|forward|gather|get|give|grant|draft|drop|edit|estimate|exchange|extend|document|download|discuss|decide|copy|contact|cover|change|charge|book|budget|audit|answer|approach|document|schedule|scope|search|sign|sketch|study|submit|survey|switch|supply|tag|transfer|prep|sync|recap|redline|patch|doc|own|wire|bump|hand|invoice|chase|label|block|bring|begin|clean|close|clear|complete|pilot|purchase|push|pull|start|take|make|meet|merge|message|monitor|produce|split|speak|assign|add|address|arrange|ask)$/;
const object =
  /^(?:the|a|an|them|her|him|it|us|their|our|my|his|your|this|these|those|that|with|w\/?|back|if|whether|up|out|in|into|on|all|both|any|some|more|new|who|what|why|how|when|where|to|for|about|from|over|through|@\S+|\d+|\p{Lu}\S*|[\p{L}-]{3,}s|\+|&)$/u;
const finite =
  /\b(?:approved|impressed|moved|lasted|shared|spoke|met|looks?|goes|lasts?|fixed|tested|found|came|took|signed|agreed|discussed|showed|mentioned|contacted|is|are|was|were|has|have|had|isn't|aren't|wasn't|doesn't|don't|didn't|won't|can't|did|does|wants?|wanted|needs?|likes?|loves?|says?|said|asked|told|seems?|feels?|works?|worked|went|got|gave|thinks?|hates?|uses?|used|expects?|complained|started|ends?|owes?|sits?|keeps?|became|lost|happened|dropped)\b/i;
/** Short dates that are themselves deadlines: "RCA today". */
const soon = /\b(?:today|tonight|tomorrow|tmrw|eod|eow|cob|asap)\b/i;
const works =
  /\b(?:e-?mail|mail|quote|invoice|summary|apology|report|plan|update|reply|answer|deck|slides|contract|proposal|offer|call ?back|link|recap|notes|minutes|credit|fix|patch|follow[- ]?up|rca|agenda|invite|docs?|list)\b/i;
const events =
  /\b(?:next call|next qbr|next check-?in|next meeting|check-?in|review call|dry run|kick-?off on|meeting|mtg|planned for|scheduled for|on leave|ooo|vacation|out until|renewal (?:is|date)|renewal,? \w+ \d|contract ends|ends|decide|decision|deadline is|go-?live|maintenance|training #?\d|workshop \d|steering|open since|no-?show|offsite|live since|expires?)\b/i;

/** Returns the task that an English line states; null where it states none, or is speech. */
export function englishTask(reading: Reading): Found | null {
  const { task, owner, speaker } = reading;
  if (speaker !== null) return null;
  return (
    englishPromise(reading) ??
    bySubject(reading) ??
    ordered(task, owner, reading) ??
    ownedTask(reading, { finite, events }) ??
    thing(reading)
  );
}

/** What customers do for themselves. */
const notPromised =
  /^(?:renew|extend|decide|discuss|grow|expand|use|cancel|leave|switch|move|start|go|copy|cover|buy|hire|merge|open|close|try|plan|roll|turn|advise|calculate|build|work|think|cut|reduce|run|launch|pay|stop|drop|end|involve|begin)s?$/i;
const subject =
  /^(?:[Ss]o |[Tt]hen |[Aa]nd |[Aa]lso )?((?:[Tt]he |[Oo]ur |[Tt]heir |[Cc]ustomer's |[Cc]lient's )?[\p{L}@][\p{L}'’._-]*(?: (?:team|from \p{L}+|\p{Lu}[\p{L}'’-]+))?)(?: \([^)]{1,20}\))?\s+(?:(?:also|then|now|still|just) )?(to|will|[’']ll|is going to|are going to|has to|have to|must|shall|is to|should|gonna|agreed to|promised to|offered to|needs to)\s+(?:(?:also|then|now|just|try to|please) )?([\p{L}-]+)(.*)$/u;
const present =
  /^(?:so |then |and |also )?((?:(?:their|our|the|mr\.?|mrs\.?|ms\.?|dr\.?|frau|herr) )?@?\p{L}[\p{L}'’-]*(?: \([^)]{1,20}\))?)\s+(?:also |then )?([a-z-]+)\s+(.+)$/iu;

/** "Ian to check with legal", "Rosa exports the list by Monday", "they send the logs". */
function bySubject(reading: Reading): Found | null {
  const sending = /^(we|I)(?:[’'](?:re|m)| are| am) (?:\w+ly )?(\p{Ll}+)ing\b/u.exec(reading.task);
  if (sending?.[2] && reading.due !== null && [sending[2], `${sending[2]}e`].some(isVerb)) {
    const by = sending[1] === 'I' ? 'me' : 'us';
    return { what: reading.task, owner: reading.owner ?? by, kind: 'subject' };
  }
  const taken = /^(\p{Lu}\p{Ll}+) (?:takes|owns|handles|picks up) /u.exec(reading.task);
  if (taken?.[1] && reading.due !== null && !things.test(taken[1])) {
    return { what: reading.task, owner: taken[1], kind: 'subject' };
  }
  const task = reading.task
    .replace(/^(\p{L}+)[’']ll\b/u, '$1 will')
    .replace(/^(\p{L}+)[’'](?:s|re|m) (?:going to|gonna) /u, '$1 is going to ')
    .replace(/^(\p{Lu}\p{Ll}+) and I\b/u, '$1_and_I');
  const whole = subjectOf(task, reading);
  if (whole) return whole;
  const [, ...clauses] = task
    .replace(
      /^(?:by|on|after|before|until) (?:(?:the|this|next) )?[\w/]+ (?=(?:\p{Lu}\p{Ll}+|we|I) )/iu,
      '$&, ',
    )
    .split(/[,;(]\s*|(?<=[.:!])\s+|\s(?:but|and|->|=>|→)\s/);
  for (const clause of clauses) {
    const text = clause.replace(/[)\s]+$/, '').replace(/^(\p{L}+)[’']ll\b/u, '$1 will');
    const found = subjectOf(text, reading);
    if (found) return found;
  }
  return null;
}

function subjectOf(
  task: string,
  { due, isListItem, isInSection, owner, isMarked }: Reading,
): Found | null {
  const future = subject.exec(task);
  // "Understood. Priya will …" begins with another sentence.
  if (future?.[1] && future[3] && !/\p{L}{4,}\. /u.test(future[1])) {
    const who = future[1].replace(/ \(.*$/, '').replace(/^@/, '');
    const verb = future[3].toLowerCase();
    const pronoun = pronouns[who.toLowerCase()];
    const isPerson =
      pronoun !== undefined ||
      (/^\p{Lu}|^(?:the |our |their |customer's |client's )/u.test(who) && !things.test(who)) ||
      (future[2] === 'to' &&
        /^\p{L}{2,12}$/u.test(who) &&
        !things.test(who) &&
        !isVerb(who.toLowerCase()) &&
        !/^(?:need|needs|want|wants|how|able|ready|going|happy|due|here|back|have|has|used|like|likes|love|loves|not|try|tried|easy|hard|nice|good|great|glad)$/i.test(
          who,
        ));
    const isModalNeed = /^(?:needs to|has to|have to|must|should)$/.test(future[2] ?? '');
    if (
      isPerson &&
      isVerb(verb) &&
      !(pronoun === 'customer' && notPromised.test(verb)) &&
      !(isModalNeed && pronoun === 'customer' && due === null)
    ) {
      const named =
        pronoun ?? ownerOf(who.replaceAll('_', ' ').replace(/^the /i, '').replace(/^Our /, 'our '));
      return {
        what: `${verb}${future[4] ?? ''}`,
        owner: pronoun ? (owner ?? named) : named,
        kind: 'subject',
      };
    }
  }
  // A second name belongs to the first.
  const stated = present.exec(
    task.replace(/^(\p{Lu}\p{Ll}+) (\p{Lu}\p{Ll}+)(?= [a-z]+s )/u, '$1_$2').replace('_', '\u2019'),
  );
  const [, who = '', verb = '', rest = ''] = stated ?? [];
  const inBrackets = /\((\p{Lu}\p{Ll}+)\)/u.exec(who)?.[1];
  const name = (inBrackets ?? who)
    .replace(/ \(.*$/, '')
    .replace(/^@/, '')
    .replace(/(?<=\p{Ll}{2})’(?=\p{Lu})/u, ' ');
  const pronoun = pronouns[name.toLowerCase()];
  const isPlural = pronoun !== undefined && /^(?:i|we|they)$/i.test(name);
  const isThird = /s$/.test(verb) && isVerb(baseOf(verb)) && !reporting.test(verb);
  const isFirst =
    isPlural &&
    !/^they decide/i.test(task) &&
    isVerb(verb.toLowerCase()) &&
    !reporting.test(`${verb}s`);
  const isGotten = /^gets? .*\b(?:signed|approved|done|fixed|ready|sorted)\b/i.test(
    `${verb} ${rest}`,
  );
  const isPerson =
    pronoun !== undefined ||
    /^(?:legal|finance|product|procurement|engineering|eng|support|it|(?:their|our|the) \w+)$/i.test(
      name,
    ) ||
    (/^\p{Lu}\p{Ll}/u.test(name) && !things.test(name) && !isVerb(name.toLowerCase()));
  if (
    isPerson &&
    !(pronoun === 'customer' && notPromised.test(verb) && !/\bstarts? the\b/.test(task)) &&
    (isGotten || (isPlural ? isFirst : isThird)) &&
    /^[@\p{L}\d#"'(]/u.test(rest)
  ) {
    const isFirm =
      due?.on !== undefined ||
      isListItem ||
      isInSection ||
      isMarked ||
      (pronoun !== 'customer' && rest !== '');
    if (
      isFirm &&
      !/\b(?:every|each|daily|often|usually|always|already|weekly basis|meanwhile|sometimes|about \d+|\d+ per|since|now|then we|moves?|finish early)\b/i.test(
        task,
      )
    ) {
      return { what: task, owner: pronoun ? (owner ?? pronoun) : name, kind: 'subject' };
    }
  }
  const owned =
    /^(\p{Lu}\p{L}+)(?: \((\p{Lu}\p{Ll}+)\))? (?:owns|runs|takes|handles|gives|gets|looks|sets|reads|meets|makes|puts|calls|reports|asks) (.+)$/u.exec(
      task,
    );
  if (owned?.[1] && due !== null && !things.test(owned[1]))
    return { what: task, owner: owned[2] ?? owned[1], kind: 'subject' };
  return null;
}

const asks =
  /^(?:(?:pls|please|plz|need to|needs to|have to|gotta|must|should|want to|got to|i need to|we need to|don't forget to|remember to|also|and|then|maybe|just|to|i should|i must|will|gonna|going to|i'd|let's)\s+)+/i;
const mine =
  /^(?:(?:also|and|then|just)\s+)*(?:need to|have to|gotta|must|will|gonna|going to|i need to|i should|i must|should)\b/i;

/** "send her the slides by Mon", "need to ask Raj", "will loop in my director". */
function ordered(task: string, owner: string | null, reading: Reading): Found | null {
  const arrow = /^(.*?)(?:->|=>|→)\s*(.+)$/.exec(task);
  const text = (arrow?.[2] ?? task).trim();
  const stripped = text.replace(asks, '');
  const isAsked = stripped !== text;
  const words = stripped.replace(/[,:;]/g, ' ').split(/\s+/);
  const verb = (words[0] ?? '').toLowerCase().replace(/[^\p{L}-]/gu, '');
  const next = words[1] ?? '';
  if (
    verb === '' ||
    /^\S+:/.test(stripped) ||
    !isVerb(verb) ||
    verb === 'be' ||
    /^(?:have|let)$/.test(verb) ||
    words.length < 2
  )
    return null;
  const isFirm =
    isAsked ||
    reading.isMarked ||
    reading.isListItem ||
    reading.isInSection ||
    owner !== null ||
    reading.due !== null;
  if (nounsToo.test(verb) && !isAsked && owner === null && !isObject(verb, next, isFirm))
    return null;
  if (
    /^(?:is|was|are|were|went|has|had|with .* (?:was|went))\b/i.test(next) ||
    (finite.test(words.slice(1, 3).join(' ')) && !isFirm)
  )
    return null;
  if (/^(?:w|was|is)$/.test(next)) return null;
  if (
    /^(?:call|meeting|demo|review|training)$/.test(verb) &&
    /^(?:w\/|with|from|at|on|went)$/.test(next) &&
    reading.due === null
  )
    return null;
  const byName = /^\p{L}+ by (\p{Lu}\p{Ll}+)\b/u.exec(text.replace(dayNames, ''))?.[1];
  const by = owner ?? byName ?? (mine.test(text) ? 'me' : null);
  return { what: text, owner: by, kind: 'verb' };
}

function isObject(verb: string, next: string, isFirm: boolean): boolean {
  if (/^(?:the|a|an|them|her|him|our|my|this|these|those|all)$/.test(next)) return true;
  if (
    /^(?:call|demo|review|training|plan|trial|order|support|test|work|report|update|quote|offer|mail|email)$/.test(
      verb,
    )
  ) {
    return (
      /^(?:the|a|an|them|her|him|it|us|their|our|my|back|if|whether|up|@\S+|\p{Lu}\p{L}*|for|on|to|customer|finance|legal|w\/|with)$/u.test(
        next,
      ) && isFirm
    );
  }
  return object.test(next) || (isFirm && /^[\p{L}\d][\p{L}\d/-]*$/u.test(next));
}

/** "quote out by EOW", in a list or with a deadline. */
function thing({ task, body, due, isInSection, isMarked }: Reading): Found | null {
  if (due !== null && /\b(?:goes|go) out\b/.test(task))
    return { what: task, owner: null, kind: 'thing' };
  if (finite.test(task) || events.test(body)) {
    return isMarked && due !== null && !events.test(body)
      ? { what: task, owner: null, kind: 'thing' }
      : null;
  }
  if (isMarked) return { what: task, owner: null, kind: 'marked' };
  if (task.split(/\s+/).length < 2) return null;
  if (/^(?:i|we|he|she|they|it|you|this|that)\b/i.test(task)) return null;
  if (due?.isDeadline || (due !== null && soon.test(due.words) && works.test(task)))
    return { what: task, owner: mentioned(body), kind: 'thing' };
  if (isInSection) return { what: task, owner: null, kind: 'section' };
  return null;
}

/** Who is to do it, where the sentence says so in another place. */
function mentioned(body: string): string | null {
  const named =
    /\b(?:asked|told|reminded) (\p{Lu}\p{Ll}+) to\b/u.exec(body) ??
    /(?:^|\s)(\p{Lu}\p{Ll}+) (?:will|shall|is going to|has to|gets|brings|sends)\b/u.exec(body) ??
    /\bby (\p{Lu}\p{Ll}+)\b(?!\s+\d)/u.exec(body.replace(dayNames, ''));
  if (named?.[1] && !things.test(named[1])) return named[1];
  if (/\bwe(?:'d|’d|'ll|’ll)?\b/i.test(body)) return 'us';
  return /\bI(?:'d|’d|'ll|’ll)?\b|\bmyself\b/.test(body) ? 'me' : null;
}

const dayNames =
  /\b(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Mon|Tue|Wed|Thu|Fri|January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec|EOD|EOW|COB|Christmas|Easter|Q[1-4])\b/g;

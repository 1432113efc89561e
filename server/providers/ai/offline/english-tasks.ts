import { idioms, passing, stillPromises } from './commitment-words.ts';
import { englishPromise } from './english-promises.ts';
import { baseOf, isVerb, things } from './english-words.ts';
import { ownedTask } from './owned-task.ts';
import { subjectOf } from './subject.ts';
import type { Found, Reading } from './task-lines.ts';

/** Verbs in the third person that report, and promise nothing. */
const reporting =
  /^(?:say|ask|report|show|feel|want|need|like|love|hate|use|have|call|look|work|think|hope|think|expect|see|know|believe|own|handle|manage|run|lead|keep|move|start|finish|fall|take|get|make|offer|talk|try|give|put|turn|read|pass|produce|meet)s$/;
/** Verbs that are nouns as often: an object must follow. */
const nounsToo =
  /^(?:switch|cancel|open|swap|go|rollback|intro|call|demo|report|plan|order|quote|review|check|test|update|email|mail|list|name|note|offer|share|show|process|trial|design|build|buy|pay|pass|track|train|store|sort|visit|work|talk|try|turn|type|post|present|press|phone|text|time|support|set|run|read|raise|record|release|request|research|reserve|reset|respond|return|label|launch|look|map|mark|measure|model|move|handle|help|host|import|export|file|figure|fill|fix|flag|focus|follow|format|forward|gather|get|give|grant|draft|drop|edit|estimate|exchange|extend|document|download|discuss|decide|copy|contact|cover|change|charge|book|budget|audit|answer|approach|document|schedule|scope|search|sign|sketch|study|submit|survey|switch|supply|tag|transfer|prep|sync|recap|redline|patch|doc|own|wire|bump|hand|invoice|chase|label|block|bring|begin|clean|close|clear|complete|pilot|purchase|push|pull|start|take|make|meet|merge|message|monitor|produce|split|speak|assign|add|address|arrange|ask)$/;
const object =
  /^(?:the|a|an|them|her|him|it|us|their|our|my|his|your|this|these|those|that|with|w\/?|back|if|whether|up|out|in|into|on|all|both|any|some|more|new|who|what|why|how|when|where|to|for|about|from|over|through|@\S+|\d+|\p{Lu}\S*|[\p{L}-]{3,}s|\+|&)$/u;
const finite =
  /\b(?:approved|impressed|moved|lasted|shared|spoke|met|looks?|goes|lasts?|fixed|tested|found|came|took|signed|agreed|discussed|showed|mentioned|contacted|is|are|was|were|has|have|had|isn't|aren't|wasn't|doesn't|don't|didn't|won't|can't|did|does|wants?|wanted|needs?|likes?|loves?|says?|said|asked|told|seems?|feels?|works?|worked|went|got|gave|thinks?|hates?|uses?|used|expects?|complained|started|ends?|owes?|sits?|keeps?|became|lost|happened|dropped)\b/i;
/** Short dates that are themselves deadlines: "RCA today". */
const soon = /\b(?:today|tonight|tomorrow|tmrw|eod|eow|cob|asap)\b/i;
const works =
  /\b(?:e-?mail|mail|quote|invoice|summary|apology|report|plan|update|reply|answer|deck|slides|contract|proposal|offer|call ?back|link|recap|notes|minutes|credit|fix|patch|follow[- ]?up|rca|agenda|invite|docs?|list)\b/i;
const events =
  /\b(?:next call|next qbr|next check-?in|next meeting|check-?in|review call|dry run|kick-?off on|meeting|mtg|planned for|scheduled for|on leave|ooo|vacation|out until|renewal (?:is|date)|renewal,? \w+ \d|contract (?:ends|till?|until|runs)|ends|decide|decision|deadline is|go-?live|maintenance|training #?\d|workshop \d|steering|open since|no-?show|offsite|live since|expires?)\b/i;

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
  /^(?:renew|upgrade|extend|decide|discuss|grow|expand|use|cancel|leave|switch|move|start|go|copy|cover|buy|hire|merge|open|close|try|plan|roll|turn|advise|calculate|build|work|think|cut|reduce|run|launch|pay|stop|drop|end|involve|begin)s?$/i;
/** What is or was, and what people say. */
const stative =
  /^(?:say|ask|want|need|like|love|hate|use|have|ha|think|hope|expect|see|know|believe|wonder|feel|hear|log|seem|sound|look|mean|prefer|agree|disagree|understand|remember|trust|care|doubt|fear|worry|complain|laugh|i|wa|doe|goe|go|live|sit|work|belong|depend|cost|exist|stay|remain|keep|come|love|enjoy|suffer|struggle|appreciate|insist|claim|report|own|refuse|estimate|praise)s?$/;
const habit =
  /\b(?:every|each|daily|often|usually|always|already|weekly basis|meanwhile|sometimes|about \d+|\d+ per|since|then we|finish early|so far|these days)\b/i;
const modal =
  /^(?:(?:also|then|now|still|just|probably) )?(to|will|ll|shall|(?:is |are |am |m |re |s )?(?:going to|gonna)|has to|have to|must|is to|are to|should|agreed to|promised to|offered to|needs? to|wants? to)\s+(?:(?:also|then|now|just|quickly|try to|please|get back to (?:us|me)|be able to) )*([\p{L}-]+)/iu;
/** "writes the log": the rest is no second noun, as in "Support answers are". */
const plainObject =
  /^[a-z]+ (?:the|a|an|them|her|him|it|us|their|our|my|his|this|these|up|out|in|back)\b/;
const obliged = /^(?:needs? to|has to|have to|must|should|wants? to)$/i;

/** "Ian to check with legal", "Rosa exports the list by Monday", "they send the logs". */
function bySubject(reading: Reading): Found | null {
  const { task } = reading;
  const [, ...clauses] = task
    .replace(
      /^(?:by|on|after|before|until) (?:(?:the|this|next) )?[\w/]+ (?=(?:\p{Lu}\p{Ll}+|we|I) )/iu,
      '$&, ',
    )
    .split(
      /[,;]\s*|\s\((?=(?:they|he|she|we|I|\p{Lu}\p{Ll}+)\s\p{Ll})|(?<=\p{L}{3}[.!]|:)\s+|\s(?:but|and|-|->|=>|→)\s/u,
    );
  const labeled = /^[^:]{2,40}?(?::| [-–—]) (.+)$/u.exec(task)?.[1];
  const [whole, ...rest] = [task, labeled ?? '', ...clauses].map((clause, at) =>
    byClause(clause.replace(/[)\s]+$/, ''), reading, at > 1),
  );
  const other = rest.find((found) => found !== null) ?? null;
  // "They rotate the keys, Nour tells us when": a name says more.
  return whole?.owner === 'customer' && other?.owner !== 'customer'
    ? (other ?? whole)
    : (whole ?? other);
}

function byClause(clause: string, reading: Reading, isInner: boolean): Found | null {
  const { due, owner: named, isInSection, isNearTask, isMarked, isListItem, naming } = reading;
  const subject = subjectOf(clause, naming);
  if (!subject) return null;
  const { predicate, isPlural, isKnown } = subject;
  if (isInner && !isKnown && due?.on == null) return null;
  const isTheirs = subject.owner === 'customer';
  // "Ben: our legal team reviews it": their words, not the note taker's.
  const isOfSpeaker = named !== null && /^(?:our|my) /.test(subject.words);
  const owner = isOfSpeaker
    ? subject.words
    : isPronounOwner(subject.owner)
      ? (named ?? subject.owner)
      : subject.owner;
  const found = (what: string): Found => ({ what, owner, kind: 'subject' });
  const isExpected = isInSection || isNearTask || isMarked;
  const future = modal.exec(predicate);
  if (future?.[1] && future[2]) {
    if (isTheirs && /\b(?:if|unless)\b/i.test(clause)) return null;
    if (obliged.test(future[1]) && isTheirs && due === null) return null;
    if (/^wants? to$/i.test(future[1]) && due === null) return null;
    const verb = future[2].toLowerCase();
    const what = predicate.slice(future[0].length - future[2].length);
    if (!isAct(verb) || (isTheirs && notPromised.test(verb) && !isInSection)) return null;
    return idioms.test(what) && !stillPromises.test(what) ? null : found(what);
  }
  const asked = /^(?:pls|plz|please) ([\p{L}-]+) /iu.exec(predicate);
  if (asked?.[1] && isVerb(asked[1].toLowerCase())) return found(predicate);
  const progressive = (
    isKnown && due !== null
      ? /^(?:(?:re|m|s|is|are|am) )?(?:\w+ly )?(\p{Ll}+)ing\b/u
      : /^(?:re|m|s|is|are|am) (?:\w+ly )?(\p{Ll}+)ing\b/u
  ).exec(predicate);
  const isDirected = /\b(?:me|us|it|them|over)\b/.test(predicate);
  if (
    progressive?.[1] &&
    (due !== null || (isKnown && isDirected)) &&
    (!isTheirs || due !== null) &&
    [progressive[1], `${progressive[1]}e`].some(isVerb)
  )
    return found(clause);
  const verb = /^(?:also |then |just |now |only )*([a-z-]+)(?= \S)/u.exec(predicate)?.[1] ?? '';
  const base = isPlural ? verb : baseOf(verb);
  const isPresent = isPlural ? !past.test(verb) : /s$/.test(verb);
  if (!isPresent || verb === '' || (habit.test(clause) && !isInSection && !isMarked)) return null;
  const isStative =
    stative.test(verb.replace(/s$/, '')) &&
    !/^(?:(?:looks?|reports?|comes?|asks?) (?:into|for|after|back|around|her|his|their|the|legal|finance|it)|owns? .*(?:by|until|eta|due)|asks? (?!for|to|if|about|whether|us|me|why|what|how|when)(?:\S+ ){1,3}(?:for|to|about)) ?\b/.test(
      predicate,
    );
  const isOnTheWay =
    due?.on != null &&
    isKnown &&
    /^(?:goes|comes|flies|drives|travels|visits) (?:to|on|by|over|back|there|in|the)\b/.test(
      predicate,
    );
  if (isOnTheWay) return found(clause);
  if (isInner && !isKnown && !isVerb(base)) return null;
  const isDoing = isVerb(base) && !reporting.test(`${base}s`) && !isStative;
  const isAction = !isStative && !/^(?:was|is|has|does|goes|as|his|its|this)$/.test(verb);
  const next = predicate.split(/\s+/).slice(1, 3).join(' ');
  if (finite.test(next.replace(/^(?:the|a|an|their|our|her|his) \p{Ll}+ed\b/u, '')) && due === null)
    return null;
  const isNamed = isKnown
    ? !isTheirs || /^(?:the )?(?:customer|client)$/.test(subject.words)
    : plainObject.test(predicate);
  const isFirm = isDoing && (isNamed || due !== null || isListItem || isExpected);
  const isLikely = isAction && (isKnown || isDoing) && (isExpected || due !== null);
  if (isTheirs && notPromised.test(verb) && !isInSection) return null;
  return isFirm || isLikely ? found(clause) : null;
}

/** After "will", any verb of doing counts. */
const isAct = (verb: string) =>
  !/^(?:the|a|an|them|us|our|their|my|his|her|him|this|that|all|both|each|it|you|your|me)$/.test(
    verb,
  ) &&
  (isVerb(verb) ||
    (!passing.has(verb) &&
      !stative.test(verb) &&
      verb !== 'be' &&
      verb.length > 2 &&
      !/^(?:have|just|also|never|not|probably|likely|then)$/.test(verb)));

const past =
  /^(?:\p{Ll}+ed|did|sent|said|took|built|had|made|went|gave|got|came|saw|left|lost|told|felt|found|kept|met|paid|ran|wrote|became|began|showed|spoke|bought|chose|drove|fell|grew|held|knew|led|thought|won|are|were|was|have|might|could|would|can|cannot|may|don|didn|won|just|also|all|both|never|not|really|now|only)$/u;

const isPronounOwner = (owner: string) => /^(?:me|us|customer)$/.test(owner);

const asks =
  /^(?:(?:pls|please|plz|need to|needs to|have to|gotta|must|should|got to|i need to|we need to|don't forget to|remember to|also|and|then|maybe|just|to|i should|i must|will|gonna|going to|i'd|let's)\s+)+/i;
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
    (owner === null && /^\S+(?: \S+){0,2}:/.test(stripped)) ||
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
  const isOrder = reading.isMarked || reading.isInSection || (reading.due?.isDeadline ?? false);
  if (nounsToo.test(verb) && !isAsked && owner === null && !isObject(verb, next, isFirm, isOrder))
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

function isObject(verb: string, next: string, isFirm: boolean, isOrder: boolean): boolean {
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
  return object.test(next) || (isOrder && /^[\p{L}\d][\p{L}\d/-]*$/u.test(next));
}

/** "quote out by EOW", in a list or with a deadline. */
/** "needs to be approved by Friday", "still has to be reprinted", "kickoff to be planned" */
const outstanding =
  /\b(?:needs?|has|have|ought|got) (?:still )?to be (?:\w+ly )?\w+|\b(?:must|should) be (?:\w+ly )?(?:\w+ed|sent|done|made|set|built|found)\b|^\S+(?: \S+){0,4} to be (?:\w+ed|sent|done|made|set|built|found)\b|\bneeds? (?:chasing|doing|fixing|signing|checking|updating|sending|to (?:ship|go out|be))\b/i;
/** "Wants three references by the end of the month": somebody is to give them. */
const wanted =
  /^(?:(?:he|she|they|\p{Lu}\p{Ll}+) )?(?:wants|want|needs|need|expects|expect|requests|requested|asks for|asked for|would like) (?!to\b|us to\b)\p{L}+ /iu;
const unneeded =
  /\b(?:not|n't|nothing|no|if|unless|whether|said|says|thinks?|wants?|feels?|that)\b/i;

function thing({
  task,
  body,
  due,
  isInSection,
  isMarked,
  isListItem,
  isNearTask,
  naming,
}: Reading): Found | null {
  const isExpected = isInSection || isMarked || isListItem || isNearTask;
  const isNeeded = outstanding.test(task) && !unneeded.test(task.replace(/[’ʼ]/g, "'"));
  if (isNeeded && (due !== null || isExpected || /\bstill\b/i.test(task)))
    return { what: task, owner: null, kind: 'thing' };
  if (due?.isDeadline && wanted.test(task) && !/\b(?:if|not|n't)\b/i.test(task))
    return { what: task, owner: null, kind: 'thing' };
  if (due?.isDeadline && /\bdue\b/i.test(due.words) && !events.test(body))
    return { what: task, owner: mentioned(body), kind: 'thing' };
  if (due !== null && /\b(?:goes|go) out\b/.test(task))
    return { what: task, owner: null, kind: 'thing' };
  const subject = isInSection ? subjectOf(task, naming) : null;
  if (subject?.isKnown && !finite.test(task) && due !== null)
    return { what: task, owner: subject.owner, kind: 'section' };
  if (finite.test(task) || events.test(body)) {
    return isMarked && due !== null && !events.test(body)
      ? { what: task, owner: null, kind: 'thing' }
      : null;
  }
  if (isMarked) return { what: task, owner: null, kind: 'marked' };
  if (task.split(/\s+/).length < 2) return null;
  const words = task.replace(due?.words ?? '', '').replace(/\b(?:due|by|on)\b/gi, '');
  if (!/\p{L}{3}/u.test(words)) return null;
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

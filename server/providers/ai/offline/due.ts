import * as chrono from 'chrono-node';
import type { Calendar, Day, OwnDate } from './calendar.ts';
import { dueWords } from './due-words.ts';
import type { ReadableLanguage } from './which-language.ts';

export interface Due {
  /** The date in the conversation's own words. */
  words: string;
  /** ISO date; null where the words do not give one ("next week"). */
  on: string | null;
  /** "by Friday", "(Fri)": the words say that it is a deadline. */
  isDeadline: boolean;
}

/** Characters read for a date: a sentence. */
const mostCharacters = 400;
const hasDate =
  /\d|day|week|wk|month|quarter|year|tonight|noon|midnight|morrow|tmr|tmw|\b(?:mon|tues?|wed|weds|thurs?|thu|fri|sat|sun|eo[dwmqy]|cob|asap|mid|jan|feb|m[aä]r|apr|ma[iy]|june?|juni|july?|juli|aug|sept?|o[ck]t|nov|de[cz])\b|\b(?:january|february|march|april|august|september|october|november|december|januar|februar|märz|oktober|dezember)\b|immediate|right away|soon as|after|before|tag|woche|monat|morgen|heute|mittwoch|abend|mittag|jahr|\b(?:mo|di|mi|do|fr|sa|so)\b/iu;

/** Returns the due date that a sentence names, or null. Past dates ("last Friday's outage") are none. */
export function findDue(sentence: string, calendar: Calendar): Due | null {
  const text = sentence.slice(0, mostCharacters);
  if (!hasDate.test(text)) return null;
  const read = withoutPast(
    text.replace(/\bFr\.(?=\s?\p{Lu})|\bto-?do\b/giu, (words) => '·'.repeat(words.length)),
  );
  const dates = datesIn(read, calendar).filter(
    // "Last Friday, 6:50": the time is past with its day.
    ({ isTimeOnly }) => !(isTimeOnly && read.includes('·')),
  );
  const best = dates.find(({ isMarked }) => isMarked) ?? dates[0];
  const words = calendar.language === 'en' ? dueWords(read) : null;
  if (best) {
    const own = `${best.marker}${best.text}`.trim();
    const { on, isMarked } = best;
    return { words: words?.includes(best.text) ? words : own, on, isDeadline: isMarked };
  }
  return words === null ? null : { words, on: null, isDeadline: isUrgent(words) };
}

const past =
  /\b(?:every|each|jede[nrs]?|last|past|previous|since|seit|from|ab|letzte[nrs]?|vorige[nrs]?|vergangene[nrs]?|am letzten)\s+(?:the |dem |der )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tue|wed|thu|fri|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|week|month|quarter|year|woche|monat|jahr|quartal|jan\w*|feb\w*|m[aä]r\w*|apr\w*|ma[iy]|jun\w*|jul\w*|aug\w*|sep\w*|o[ck]t\w*|nov\w*|de[cz]\w*|\d{1,2}\.? ?\w*)(?:['’]s)?(?: \d{1,2}\b)?|\b\d+ (?:days?|weeks?|months?|years?) ago|\bvor \d+ (?:tagen|wochen|monaten|jahren)|\byesterday|\bgestern\b/giu;

/** Blanks out what lies in the past, so that positions stay. */
const withoutPast = (text: string) => text.replace(past, (match) => '·'.repeat(match.length));

interface DateInText extends OwnDate {
  isTimeOnly: boolean;
}

interface Found {
  text: string;
  at: number;
  on: string | null;
  marker: string;
  isMarked: boolean;
  isTimeOnly: boolean;
}

const marker =
  /(?:\b(?:no later than|by|before|until|till|til|due(?: on)?|latest(?: by)?|deadline|eta|within|bis(?: spätestens)?(?: zum| am)?|spätestens(?: bis)?(?: am| zum)?|vor(?: dem)?|fällig(?: am)?|frist)[:\s]+(?:the )?|[(,]\s?)$/i;
const markedAfter = /^\s*(?:latest|at the latest|deadline|spätestens)\b/i;
const eventBefore =
  /\b(?:starting|starts|ends|endet|beginnt|since|ab|seit|after|nach(?: dem)?|during(?: the)?|während|im laufe|as of|on leave|is out|be out|away|urlaub|weg)(?!\p{L})\s*(?:\p{L}+\s)?$/iu;

function datesIn(text: string, calendar: Calendar): Found[] {
  const own = calendar.ownDates(text);
  const byChrono = parserOf(calendar.language)
    .parse(blank(text, own), { instant: calendar.noon }, { forwardDate: false })
    .flatMap(({ index, text: words, start }): DateInText[] => {
      if (
        /^(?:jetzt|now|mo|di|mi|do|fr|sa|so|sun|sat|may|mar|second|von \d+|morgen|\d+\.\d+)$/i.test(
          words,
        )
      )
        return [];
      if (
        /^(?:this|next|nächste|kommende|diese)\w* (?:week|month|quarter|year|woche|monat|quartal|jahr)/i.test(
          words,
        )
      ) {
        return [{ at: index, text: words, day: null, isTimeOnly: false }];
      }
      const isTimeOnly = !start.isCertain('day') && !start.isCertain('weekday');
      if (isTimeOnly && (!start.isCertain('hour') || !clock.test(words))) return [];
      const day = isTimeOnly
        ? calendar.today
        : {
            year: start.isCertain('year') ? (start.get('year') ?? 0) : calendar.today.year,
            month: start.get('month') ?? 0,
            day: start.get('day') ?? 0,
          };
      return [
        {
          at: index,
          text: words,
          day: calendar.upcoming(day, start.isCertain('year')),
          isTimeOnly,
        },
      ];
    });
  const all: DateInText[] = [...own.map((one) => ({ ...one, isTimeOnly: false })), ...byChrono];
  // "By noon tomorrow": the day counts.
  const dated = all.filter(({ isTimeOnly }) => !isTimeOnly);
  return (dated.some(({ day }) => day !== null && day !== 'past') ? dated : all)
    .sort((a, b) => a.at - b.at)
    .flatMap(({ at, text: words, day, isTimeOnly }) => {
      const before = text.slice(Math.max(0, at - 24), at);
      if (eventBefore.test(before) || day === 'past') return [];
      const found = marker.exec(before)?.[0] ?? '';
      // "the 3am texts"
      const isEnd = /^\W*$/u.test(text.slice(at + words.length));
      if (isTimeOnly && found === '' && !isEnd && !/\b(?:at|um|heute|today|this)\s*$/i.test(before))
        return [];
      const isMarked = found !== '' || markedAfter.test(text.slice(at + words.length));
      return [
        {
          text: words,
          at,
          on: day === null ? null : isoOf(day),
          marker: found.replace(/[(,]/, ''),
          isMarked,
          isTimeOnly,
        },
      ];
    });
}

const clock =
  /\d[:.]\d\d|\d\s?(?:am|pm|a\.m|p\.m|uhr|h)\b|noon|midnight|morning|afternoon|evening|tonight|mittag|abend|nacht|vormittag|früh/iu;

const parsers = { en: chrono.en.casual, de: chrono.de.casual };
const parserOf = (language: ReadableLanguage) => parsers[language];

function blank(text: string, found: readonly { at: number; text: string }[]): string {
  let rest = text;
  for (const { at, text: words } of found) {
    rest = rest.slice(0, at) + '·'.repeat(words.length) + rest.slice(at + words.length);
  }
  return rest;
}

const isoOf = ({ year, month, day }: Day) =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

export const isUrgent = (sentence: string) =>
  /\b(?:asap|as soon as possible|urgent(?:ly)?|right away|immediately|straight away|today|tonight|tomorrow|tmrw|eod|cob|critical|blocker|blocking|top priority|heute|morgen|sofort|dringend|umgehend|eilig|schnellstmöglich)\b/i.test(
    sentence,
  );

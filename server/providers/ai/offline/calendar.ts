import { Temporal } from 'temporal-polyfill';
import type { ReadableLanguage } from './which-language.ts';

export interface Day {
  year: number;
  month: number;
  day: number;
}
export interface OwnDate {
  at: number;
  text: string;
  day: Day | 'past' | null;
}

type Add = (pattern: RegExp, dayOf: (match: RegExpMatchArray) => OwnDate['day']) => void;

const monthOf = (names: string, month: string) => names.indexOf(month.toLowerCase()) / 3 + 1;

/** Where people write the month first: in the Americas, and where the zone says nothing. */
const monthFirst = /^(?:America|US|Etc|UTC|GMT|Asia\/Manila|Pacific\/(?:Honolulu|Guam))/;

/** Longer ago than this, a date without a year is next year's. */
const pastDays = 183;
const weekdays: Record<ReadableLanguage, RegExp> = {
  en: /(?<![\p{L}\d])(?:(next|this|coming|on)\s+)?(?:(mon)|(tue)s?|(wed)s?|(thu)(?:rs?)?|(fri)|(sat)(?! (?:down|in|with|through|together|on|next|at|for|there|and|has|is)\b)|(sun))(?:(?:day|nesday|sday|rsday|urday)\b(?!s)|(?![\p{L}\d'’]))(?!\.?,? (?:the )?(?:\d{1,2}(?:st|nd|rd|th)\b|\d{1,2}[/-]\d|\d{1,2}\.\d{1,2}\.|\d{1,2}\.? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}* \d))/giu,
  de: /(?<![\p{L}\d])(?:(nächste[nrs]?|diese[nrs]?|kommende[nrs]?|am)\s+)?(?:(mo)ntag|(di)enstag|(mi)ttwoch|(do)nnerstag|(fr)eitag|(sa)mstag|(so)nntag)(?![\p{L}])(?!,? (?:den |dem |der )?\d{1,2}\.(?!\d{2} ?uhr))/giu,
};
/** Two letters are a weekday only in a date's place: "bis Mo", "(Fr)", "Do 14 Uhr", or at the end. */
const shortWeekdays =
  /(?<=(?:\b(?:bis|am|ab|vor|für|zum|nächsten|kommenden|diesen)\s+|[(,/:–-]\s*))(?:(Mo)|(Di)|(Mi)|(Do)|(Fr)|(Sa)|(So))(?!\.\s?\p{L})(?!\.?,? (?:den |dem )?\d{1,2}\.)(?=\.?(?:[\s,;)]|$))|(?<=\s)(?:(Mo)|(Di)|(Mi)|(Do)|(Fr)|(Sa)|(So))(?=\.?(?:\s*$|\)|\s+\d{1,2}(?::\d{2})?\s*Uhr|\s\p{Ll}))|(?<=\b(?:bis|spätestens|am)\s+)(?:(mo)|(di)|(mi)|(do)|(fr)|(sa))(?=\.?(?:[\s,;)]|$))/gu;

/** The day of the call in its time zone, from which dates are counted. */
export class Calendar {
  readonly language: ReadableLanguage;
  readonly today: Day;
  /** Local noon of the day of the call, as a date of this program's own zone. */
  readonly noon: Date;
  readonly #isMonthFirst: boolean;

  constructor(language: ReadableLanguage, calledAt: string, timeZone: string) {
    this.language = language;
    const local = Temporal.Instant.from(calledAt).toZonedDateTimeISO(timeZone);
    this.today = { year: local.year, month: local.month, day: local.day };
    this.#isMonthFirst = monthFirst.test(timeZone);
    this.noon = new Date(local.year, local.month - 1, local.day, 12);
  }

  /** Returns the dates that the library does not read as people mean them in notes. */
  ownDates(text: string): OwnDate[] {
    const found: OwnDate[] = [];
    const add = (pattern: RegExp, dayOf: (match: RegExpMatchArray) => OwnDate['day']) => {
      for (const match of text.matchAll(pattern)) {
        const at = match.index ?? 0;
        if (found.some((one) => at < one.at + one.text.length && one.at < at + match[0].length))
          continue;
        found.push({ at, text: match[0], day: dayOf(match) });
      }
    };
    if (this.language === 'en') this.#addEnglish(add);
    else this.#addGerman(add);
    return found;
  }

  /** Returns the next such day; `past` for one that has gone by. */
  upcoming(day: Day, isYearGiven: boolean): Day | 'past' {
    const date = Temporal.PlainDate.from(day);
    const passed = date.until(this.#day, { largestUnit: 'day' }).days;
    if (passed <= 0) return day;
    if (isYearGiven || passed < pastDays) return 'past';
    return { ...day, year: day.year + 1 };
  }

  get #day(): Temporal.PlainDate {
    return Temporal.PlainDate.from(this.today);
  }

  #addEnglish(add: Add) {
    // "Friday 10th": the number says more than the weekday.
    add(
      /\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,? (?:the )?(\d{1,2})(?:st|nd|rd|th)\b(?! (?:of |jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))/gi,
      ([, day]) => this.#ordinal(Number(day)),
    );
    add(/\bday after tomorrow\b/gi, () => this.#in(2));
    add(/\b(?:later today|this (?:morning|afternoon|evening))\b/gi, () => this.#in(0));
    add(
      /\b(?:eod|cob|end of (?:the )?(?:day|business)|close of business)(?: (?:today|tomorrow|tmrw))?\b(?! (?:on )?(?:mon|tue|wed|thu|fri|sat|sun))/gi,
      ([words]) => this.#in(/tomorrow|tmrw/i.test(words) ? 1 : 0),
    );
    add(
      /\b(?:tomorrow|tmrw|tmr|tmw|2morrow)(?: (?:eod|cob|morning|noon|afternoon|evening|night))?\b/gi,
      () => this.#in(1),
    );
    add(/\b(?:end of (?:the )?next week)\b/gi, () => this.#endOfWeek(1));
    add(/\b(?:eow|end of (?:the |this )?week)\b/gi, () => this.#endOfWeek(0));
    add(/\b(?:end of (?:the )?next month)\b/gi, () => this.#endOfMonth(1));
    add(
      /\b(?:eom|end of (?:the |this )?month|(?<=\b(?:by|at|until|till|before|due|this) )month[- ]end)\b/gi,
      () => this.#endOfMonth(0),
    );
    add(/\bend of q([1-4])\b/gi, ([, quarter]) => this.#endOf(3 * Number(quarter)));
    add(
      /\b(?:eoy|end of (?:the |this )?year|(?<=\b(?:by|at|until|till|before|due) )year[- ]end)\b/gi,
      () => this.#endOf(12),
    );
    add(/\bmid[- ](jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/gi, ([, month = '']) =>
      this.#date(monthOf('janfebmaraprmayjunjulaugsepoctnovdec', month), 15),
    );
    add(/\b(?:eoq|end of (?:the |this )?quarter)\b/gi, () => this.#endOfQuarter());
    add(/\bend of (jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/gi, ([, month = '']) =>
      this.#endOf(monthOf('janfebmaraprmayjunjulaugsepoctnovdec', month)),
    );
    add(/\b(?:early|mid|later|late) (?:next|this) (?:week|month)\b/gi, () => null);
    add(
      /\b(?:the|on|by|before) (\d{1,2})(?:st|nd|rd|th)\b(?! of)(?! (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))(?! (?:time|call|ticket|quarter))/gi,
      ([, day]) => this.#ordinal(Number(day)),
    );
    this.#addNumeric(add);
    add(/(?<![\d/.])(\d{1,2})\/(\d{1,2})(?![\d/.%])/g, ([, first, second]) =>
      this.#slashed(Number(first), Number(second)),
    );
    add(weekdays.en, (match) => this.#weekday(match.slice(2), match[1] ?? ''));
  }

  /** "28.03.", "10-11-2026", "28/07/2026". */
  #addNumeric(add: Add) {
    add(/(?<![\d.])(\d{1,2})\.(\d{1,2})\.(?:(\d{4}|\d{2})(?!\d))?(?!\d)/g, ([, day, month, year]) =>
      this.#date(Number(month), Number(day), year),
    );
    add(/(?<![\d/-])(\d{1,2})([/-])(\d{1,2})\2(\d{4})(?![\d/-])/g, ([, first, , second, year]) =>
      this.#slashed(Number(first), Number(second), year),
    );
  }

  #addGerman(add: Add) {
    add(
      /(?<!\p{L})(?:\p{L}*tag|mittwoch|mo|di|mi|do|fr|sa|so)\.?,? (?:den |dem )?(\d{1,2})\.(\d{1,2})\.(?:(\d{4}|\d{2})(?!\d))?/giu,
      ([, day, month, year]) => this.#date(Number(month), Number(day), year),
    );
    add(/(?<!guten )\bübermorgen\b/giu, () => this.#in(2));
    add(/(?<!guten |am )\bmorgen(?: (?:früh|mittag|vormittag|nachmittag|abend))?\b/giu, () =>
      this.#in(1),
    );
    add(/\bende nächster woche\b/gi, () => this.#endOfWeek(1));
    add(/\b(?:ende (?:der |dieser )?woche|(?<=\bbis(?: zum)? )wochenende|eow)\b/gi, () =>
      this.#endOfWeek(0),
    );
    add(/\bende (?:des )?nächsten monats\b/gi, () => this.#endOfMonth(1));
    add(/\b(?:monatsende|ende (?:des |dieses )?monats?|eom)\b/gi, () => this.#endOfMonth(0));
    add(/\bende (?:von |des )?q([1-4])\b/gi, ([, quarter]) => this.#endOf(3 * Number(quarter)));
    add(/\bbis (?:zur |ende )?(?:der )?kw ?(\d{1,2})\b/gi, ([, week]) =>
      this.#endOfCalendarWeek(Number(week)),
    );
    add(/\bende (?:der )?kw ?(\d{1,2})\b/gi, ([, week]) => this.#endOfCalendarWeek(Number(week)));
    add(/\bkw ?\d{1,2}\b/gi, () => null);
    add(/\b(?:quartalsende|ende (?:des |dieses )?quartals)\b/gi, () => this.#endOfQuarter());
    add(/\bende (jan|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez)\p{L}*/giu, ([, month = '']) =>
      this.#endOf(monthOf('janfebmäraprmaijunjulaugsepoktnovdez', month)),
    );
    add(/\bmitte (jan|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez)\p{L}*/giu, ([, month = '']) =>
      this.#date(monthOf('janfebmäraprmaijunjulaugsepoktnovdez', month), 15),
    );
    add(
      /\b(?:jahresende|ende (?:des |dieses )?jahres|(?<=\bbis )ende (?:des )?jahr(?:es)?)\b/gi,
      () => this.#endOf(12),
    );
    add(/\b(?:anfang|mitte) (?:nächster|der nächsten|kommender) woche\b/gi, () => null);
    add(/\b(?:eod|feierabend|heute(?: (?:abend|nachmittag|mittag|noch))?|tagesende)\b/gi, () =>
      this.#in(0),
    );
    add(/(?<![\d.])(\d{1,2})\.(\d{1,2})\.(?:(\d{4}|\d{2})(?!\d))?/g, ([, day, month, year]) =>
      this.#date(Number(month), Number(day), year),
    );
    add(
      /\b(?:am|zum|den|dem) (\d{1,2})\.(?! ?(?:jan|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez|\d|mal))/gi,
      ([, day]) => this.#ordinal(Number(day)),
    );
    add(
      /\b(?:in|innerhalb(?: von)?|binnen) (\d{1,2}|einer|zwei|drei|vier) (tag|woche)(?:en|n)?\b/gi,
      ([, count = '', unit = '']) => {
        const number = { einer: 1, zwei: 2, drei: 3, vier: 4 }[count] ?? Number(count);
        return this.#in(number * (/woche/i.test(unit) ? 7 : 1));
      },
    );
    add(weekdays.de, (match) => this.#weekday(match.slice(2), match[1] ?? ''));
    add(shortWeekdays, (match) => {
      const names = match.slice(1);
      return this.#weekday(
        names.slice(0, 7).map((name, at) => name ?? names[at + 7] ?? names[at + 14] ?? ''),
        '',
      );
    });
  }

  #in(days: number): Day {
    return this.#from(this.#day.add({ days }));
  }

  #from({ year, month, day }: Temporal.PlainDate): Day {
    return { year, month, day };
  }

  /** The Friday of this week, or of a later one; on weekends the next Friday. */
  #endOfWeek(weeks: number): Day {
    const today = this.#day.dayOfWeek;
    return this.#in((today > 5 ? 12 - today : 5 - today) + 7 * weeks);
  }

  /** The Friday of a week by its ISO number: this year's, or next year's if it is over. */
  #endOfCalendarWeek(week: number): OwnDate['day'] {
    if (week < 1 || week > 53) return null;
    const friday = (year: number) => {
      const fourth = Temporal.PlainDate.from({ year, month: 1, day: 4 });
      return fourth.add({ days: 5 - fourth.dayOfWeek + 7 * (week - 1) });
    };
    const next = friday(this.today.year);
    const isOver = Temporal.PlainDate.compare(next, this.#day) < 0;
    return this.#from(isOver ? friday(this.today.year + 1) : next);
  }

  #endOfMonth(months: number): Day {
    const date = this.#day.with({ day: 1 }).add({ months });
    return this.#from(date.with({ day: date.daysInMonth }));
  }

  #endOfQuarter(): Day {
    const months = 2 - ((this.today.month - 1) % 3);
    return this.#endOfMonth(months);
  }

  #endOf(month: number): Day | 'past' {
    const date = this.#day.with({ day: 1, month });
    return this.upcoming(this.#from(date.with({ day: date.daysInMonth })), false);
  }

  #ordinal(day: number): Day | null {
    if (day < 1 || day > 31) return null;
    const month = day > this.today.day ? this.#day : this.#day.with({ day: 1 }).add({ months: 1 });
    return day > month.daysInMonth ? null : this.#from(month.with({ day }));
  }

  /** In the order of the zone, where it can be. */
  #slashed(first: number, second: number, year?: string): OwnDate['day'] {
    const isMonthFirst = second > 12 || (first <= 12 && this.#isMonthFirst);
    return isMonthFirst ? this.#date(first, second, year) : this.#date(second, first, year);
  }

  #date(month: number, day: number, year?: string): OwnDate['day'] {
    if (month < 1 || month > 12 || day < 1 || day > 31) return 'past';
    const written = year === undefined ? this.today.year : Number(year.padStart(4, '20'));
    if (day > new Date(written, month, 0).getDate()) return 'past';
    return this.upcoming({ year: written, month, day }, year !== undefined);
  }

  /** The next such weekday after today; "next Friday" is the one of next week. */
  #weekday(names: readonly (string | undefined)[], before: string): Day {
    const wanted = names.findIndex((name) => name !== undefined && name !== '') + 1;
    const ahead = (wanted - this.#day.dayOfWeek + 6) % 7;
    const isNextWeek = /^(?:next|nächste)/i.test(before);
    if (isNextWeek) return this.#in(7 - this.#day.dayOfWeek + wanted);
    return this.#in(ahead + 1);
  }
}

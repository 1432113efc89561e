const weekday = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
const month =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const day = String.raw`(?:${month} \d{1,2}(?:st|nd|rd|th)?|\d{1,2}(?:st|nd|rd|th)?(?: of)? ${month}|the \d{1,2}(?:st|nd|rd|th)|\d{1,2}[/.]\d{1,2}(?:[/.]\d{2,4})?|\d{4}-\d{2}-\d{2})`;
const part = '(?: (?:morning|afternoon|evening|noon|lunch|night|eod|end of day))?';
const when = `(?:(?:this |next |coming |the coming )?${weekday}${part}|tomorrow${part}|today|tonight|this (?:morning|afternoon|evening|week|month|quarter)|next (?:week|month|quarter|meeting|time|call|sprint|monday|year)|(?:the )?end of (?:the |this |next )?(?:day|week|month|quarter|year|business|play|today|tomorrow|${weekday})|eo[dwmq]|cob|close of business|noon|midnight|q[1-4]|monday|${day})`;

const patterns = [
  new RegExp(
    String.raw`\b(?:no later than|by|before|until|on|for|at|due|latest by|come)\s+(?:the )?${when}\b`,
    'i',
  ),
  /\b(?:with)?in (?:the next |about |a |an |one |two |three |four |five |a few |a couple of |\d{1,4} ?){1,4}(?:minutes?|hours?|days?|weeks?|months?|business days?)\b/i,
  /\bwithin (?:the |an? |\d+ )?(?:hour|day|week|month)\b/i,
  new RegExp(String.raw`\b${when}\b(?: at \d{1,2}(?::\d{2})? ?(?:am|pm)?)?`, 'i'),
  /\b(?:asap|as soon as possible|right away|immediately|straight away|straight after|right after (?:this|the) (?:call|meeting)|after (?:this|the|our) (?:call|meeting|demo)|before (?:the|our) (?:next )?(?:call|meeting|demo|launch|renewal|kick-?off|go-?live))\b/i,
];

/** Returns the due date in the own words of an English sentence, or null. */
export function dueWords(sentence: string): string | null {
  for (const pattern of patterns) {
    const found = pattern.exec(sentence)?.[0];
    if (found) return found.trim();
  }
  return null;
}

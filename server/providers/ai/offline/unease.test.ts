import { describe, expect, test } from 'vitest';
import { classesIn } from './mood-classes.ts';
import { troubleFeatures, wordsOfLine } from './trouble-words.ts';
import { uneaseIn } from './unease.ts';
import { readUtterances } from './utterances.ts';

const unease = (text: string, language: 'en' | 'de' = 'en') =>
  uneaseIn(readUtterances(text), language);
const isConcern = (text: string, language: 'en' | 'de' = 'en') =>
  unease(text, language).concerns.length > 0;

describe('trouble without words of complaint is a concern', () => {
  test.each([
    [
      'people work around it',
      'Sync with the lab. Friendly as always.\nSince the update the nurses keep their own list on paper again and type it up at night.\nI will visit them on Monday',
    ],
    [
      'a promise is repeated',
      'Quick call with the office lead\nThe form was promised for January, then for March, and still no date.\nShe would like one answer from someone who can keep it.',
    ],
    [
      'they ask for the way out',
      'Polite call with their deputy, the lead did not join again\nHe asked how the notice period works and how they get their data out.\nI send the clause tomorrow',
    ],
    [
      'the sponsor is gone and use falls',
      'Usage review\nOur sponsor has left, the new head used another tool before.\nHardly anyone logs in since summer, only 4 of 60 people.',
    ],
    [
      'they compare others',
      'Renewal talk with procurement\nThey look at two other vendors and find us more expensive, the board wants to know what they pay for.',
    ],
    [
      'trust is lost',
      'Call with the owner. He was quiet.\nHe said he cannot defend us any longer in front of his board, he has no good answer left.',
    ],
  ])('%s', (_, text) => {
    expect(isConcern(text)).toBe(true);
  });

  test.each([
    [
      'sie behelfen sich',
      'Gespräch mit der Station, freundlich wie immer\nDie Pflege führt wieder eine eigene Liste auf Papier, das gehe schneller.\nIch komme am Montag vorbei',
    ],
    [
      'ein Versprechen wiederholt sich',
      'Kurzes Gespräch mit der Leiterin\nDas Formular war für Januar zugesagt, dann für März, und sie wartet immer noch.\nSie möchte ein verbindliches Datum.',
    ],
    [
      'sie fragen nach dem Ausstieg',
      'Höfliches Gespräch mit dem Stellvertreter\nEr fragte nach der Kündigungsfrist und wie sie ihre Daten mitnehmen können.\nKlausel schicke ich morgen',
    ],
    [
      'kaum jemand nutzt es',
      'Durchsicht der Nutzung\nSeit dem Sommer meldet sich kaum noch jemand an, 4 von 60.\nDer neue Leiter kennt von früher ein anderes System.',
    ],
  ])('%s', (_, text) => {
    expect(isConcern(text, 'de')).toBe(true);
  });
});

describe('work on trouble, and trouble that is over, is no concern', () => {
  test.each([
    'Workshop on complaint handling\n- they get 900 complaints a month\n- want escalation rules per region\n- Max configures the regions by Friday',
    'Security questionnaire, the same for every supplier\nquestions on incidents, deletion after termination, and backups\nme: report under NDA by Friday',
    'Follow-up on the outage of last week\nCause found, fixed on Monday, not a single error since. He thanked the team and closed the ticket.',
    'Handover to the new admin\nroles changed, old account disabled, training on Thursday\nI send the guide today',
  ])('%s', (text) => {
    expect(isConcern(text)).toBe(false);
  });
});

test('a transcript and a single sentence are read by rules alone', () => {
  expect(isConcern('Ada: How is it?\nBen: They keep a list on paper again, it is quicker.')).toBe(
    false,
  );
  expect(isConcern('Ada: How is it?\nBen: We want to cancel our contract.')).toBe(true);
  expect(isConcern('It is not too expensive.')).toBe(false);
  expect(isConcern('We might cancel.')).toBe(true);
});

test('a concern that words raise quotes the line that says most of it', () => {
  const text =
    'Call with the museum\nVisitors stood in a queue again, the scanner is still down, and the staff went back to paper lists.\nNext call on 4 May';
  expect(unease(text).concerns.map(({ said }) => said.line)).toEqual([
    'Visitors stood in a queue again, the scanner is still down, and the staff went back to paper lists.',
  ]);
});

test('words of a settled sentence have weights of their own', () => {
  const said = (isOpen: boolean) =>
    wordsOfLine([{ text: 'The export crashed', isOpen, isSupposed: null }], 'en').words;
  expect(said(true)).toContain('en crashe');
  expect(said(false)).toContain('en not so: crashe');
  expect(said(false)).not.toContain('en crashe');
});

test('words have classes in both languages, by their beginnings', () => {
  const names = (text: string, language: 'en' | 'de') =>
    classesIn(text, language).map(([name]) => name);
  expect(names('She shouted, and we apologized', 'en')).toEqual(
    expect.arrayContaining(['anger', 'remedy']),
  );
  expect(names('Er brüllte, ich habe mich entschuldigt', 'de')).toEqual(
    expect.arrayContaining(['anger', 'remedy']),
  );
  expect(names('newspaper', 'en')).not.toContain('oldWay');
});

test('each word of a long note counts less', () => {
  const features = (text: string) => {
    const lines = text
      .split('\n')
      .map((line) => wordsOfLine([{ text: line, isOpen: true, isSupposed: null }], 'en'));
    return troubleFeatures(lines, 'en', { concerns: [], score: 0 });
  };
  const other = Array.from({ length: 80 }, (_, at) => `${'abcdefghij'[at % 10]}${at}word`).join(
    ' ',
  );
  const short = features('invoice wrong').get('en invoic') ?? 0;
  const long =
    features(
      `invoice wrong\n${other} once upon that time they spoke of rivers and mountains, of forests and lakes, of harbors, ships, sailors, captains, lighthouses, storms`,
    ).get('en invoic') ?? 0;
  expect(long).toBeLessThan(short);
});

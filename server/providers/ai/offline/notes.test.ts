import { describe, expect, test } from 'vitest';
import { actionItemsOf } from './action-items.ts';
import { coach } from './coaching.ts';
import { type LabeledNotes, labeledNotes, unreadableTexts } from './samples/labeled-notes.ts';
import { sentimentOf } from './sentiment.ts';
import { readableLanguage } from './which-language.ts';

const zones = { en: 'America/New_York', de: 'Europe/Berlin' };
const zone = zones.de;
const all = labeledNotes();

/** Pairs the found items with the labeled lines that they quote. */
function compare({ language, text, calledAt, tasks }: LabeledNotes) {
  const lines = text.split('\n').map((line) => line.trim());
  const free = new Set(tasks);
  const items = actionItemsOf(text, calledAt, zones[language]);
  const matched = items.flatMap((item) => {
    const label = [...free].find(({ line }) => item.description.startsWith(lines[line] ?? ''));
    if (!label) return [];
    free.delete(label);
    return [{ item, label }];
  });
  return { found: items.length, labeled: tasks.length, matched };
}

test('tasks of notes are found with owner and date, in English and in German', () => {
  for (const language of ['en', 'de']) {
    const results = all.filter((notes) => notes.language === language).map(compare);
    const sum = (of: (one: (typeof results)[number]) => number) =>
      results.reduce((total, one) => total + of(one), 0);
    const [found, labeled] = [sum((one) => one.found), sum((one) => one.labeled)];
    const matched = results.flatMap((one) => one.matched);
    const right = matched.filter(
      ({ item, label }) =>
        item.owner?.toLowerCase() === label.owner?.toLowerCase() && item.dueOn === label.on,
    );
    expect((2 * matched.length) / (found + labeled), `F1, ${language}`).toBeGreaterThan(0.9);
    expect(right.length / matched.length, `owner and date, ${language}`).toBeGreaterThan(0.93);
  }
});

test('unhappy customers are noticed and never called positive, others are seldom flagged', () => {
  const read = all.map(({ text, calledAt, customer }) => {
    const mood = sentimentOf(text, calledAt, zone);
    return { ...mood, isUnhappy: customer === 'unhappy' };
  });
  const isFlagged = (one: (typeof read)[number]) =>
    one.concernsDetected || one.overallSentiment <= -0.2;
  const unhappy = read.filter(({ isUnhappy }) => isUnhappy);
  const others = read.filter(({ isUnhappy }) => !isUnhappy);
  expect(unhappy.filter(isFlagged).length / unhappy.length).toBeGreaterThan(0.9);
  expect(others.filter(isFlagged).length / others.length).toBeLessThan(0.1);
  expect(unhappy.filter(({ overallSentiment }) => overallSentiment > 0.2)).toEqual([]);
});

test('the language of each of the notes is recognized', () => {
  const wrong = all.filter(({ text, language }) => readableLanguage(text) !== language);
  expect(wrong.map(({ text }) => text)).toEqual([]);
});

describe('a text that cannot be read', () => {
  test.each(unreadableTexts())('in $language gets no mood, advice, or tasks', ({ text }) => {
    expect(sentimentOf(text, '2026-03-10T14:00:00Z', zone)).toEqual({
      overallSentiment: 0,
      confidence: 0,
      keyEmotions: [],
      concernsDetected: false,
      supported: false,
      evidence: [],
    });
    expect(actionItemsOf(text, '2026-03-10T14:00:00Z', zone)).toEqual([]);
    const call = { calledAt: '2026-03-10T14:00:00Z', timeZone: zone, openItems: [], isOver: false };
    expect(coach({ ...call, text })).toEqual([]);
  });
});

describe('the examples of the first users', () => {
  const call = '2026-03-10T23:30:00Z';
  test.each([
    ['- Rosa: export the contract list (Mon)', 'Rosa', '2026-03-16'],
    ['@Ian pls check the logs by Thu', 'Ian', '2026-03-12'],
    ['me: draft agenda tmrw', 'me', '2026-03-11'],
    ['call back 4/9', null, '2026-04-09'],
    ['we owe them a quote by Tue', 'us', '2026-03-17'],
    ['promised a refund by wed', 'me', '2026-03-11'],
    ['[ ] send the release form', null, null],
    ['Rosa exports the list by Monday', 'Rosa', '2026-03-16'],
    ['you will have it by 5 pm', 'us', '2026-03-10'],
    ['- Rosa: Vertragsliste exportieren (Mo)', 'Rosa', '2026-03-16'],
    ['wir schulden ihm ein Angebot bis Dienstag', 'us', '2026-03-17'],
  ])('%s', (line, owner, dueOn) => {
    expect(actionItemsOf(line, call, 'America/New_York')).toMatchObject([{ owner, dueOn }]);
  });

  test('a date counts from the day of the call in its zone', () => {
    const [item] = actionItemsOf('me: draft agenda tomorrow', call, zone);
    expect(item?.dueOn).toBe('2026-03-12');
  });

  test('a day that is past is not a due date', () => {
    const [item] = actionItemsOf("I'll write up last Friday's outage.", call, zone);
    expect(item).toMatchObject({ due: null, dueOn: null });
  });
});

describe('the owner of a task', () => {
  test.each([
    ['a name at the end, before a date', 'Kick-off\n- mapping fix, Devon, by Wed', 'Devon'],
    ['a name in lower case that the notes introduce', 'sync w/ orla\norla sends the list', 'orla'],
    ['the heading of a list', 'Call\nNext steps (customer):\n- send the logs', 'customer'],
    ['whom a pronoun stands for', 'Call with Dr. Weiss\nHe sends the file by Friday', 'Dr. Weiss'],
    ['who gives, not who gets', 'Call\nRuiz gets a date from us by Friday', 'us'],
    ['a title and a name', 'Termin\nFr. Chen schickt die Liste bis Freitag', 'Fr. Chen'],
    ['a row of a table', 'Gespräch\nWer / was / bis wann\nGideon / Liste / Mo', 'Gideon'],
    ['who acts in the passive', 'Call\nThe form will be filled by Imogen by Friday', 'Imogen'],
    ['a team of ours', 'Call\nOur accounts team sends the invoice by Friday', 'us'],
    ['a team of theirs', 'Call\nTheir IT sends the trace by Friday', 'customer'],
    ['named after a label', 'Call\nSlides with dates. Owner: Hamish. Due: Friday', 'Hamish'],
    ['in a clause at the end', 'Call\n- fix the import, Stacy drives, by Friday', 'Stacy'],
    [
      'who acts in the German passive',
      'Termin\nDas Muster wird von Anke bis Freitag zugesandt',
      'Anke',
    ],
    ['named at the end in German', 'Termin\nDie Beschaffung klärt Frau Roth.', 'Frau Roth'],
  ])('is %s', (_, text, owner) => {
    expect(actionItemsOf(text, '2026-03-10T14:00:00Z', zone)).toMatchObject([{ owner }]);
  });

  test('is not the subject of another sentence, nor is its date', () => {
    const text = 'Call with Ravi and Jen\nRavi drafts it, Jen reviews it on Friday';
    const [item] = actionItemsOf(text, '2026-03-10T14:00:00Z', zone);
    expect(item).toMatchObject({ owner: 'Ravi', dueOn: null });
  });
});

describe('what is no trouble of the customer is no concern', () => {
  test.each([
    'churn is their main figure this year, currently 4 %',
    'In July they complained about slow exports, since the update not a single ticket',
    'We were worried about the migration and it turned out to be a non-event',
    'If the import were to fail they would go back to manual work',
    'Is there a risk that data gets mixed up? No',
    'Their old system was a nightmare and they never go back',
    'Das Problem ist gelöst, seit dem Update kein Ausfall mehr',
    'Wir hatten Bedenken wegen der Umstellung, völlig unbegründet',
    'Besteht ein Risiko, dass Daten vermischt werden? Nein',
  ])('%s', (text) => {
    expect(sentimentOf(`Call notes\n${text}`, '2026-03-10T14:00:00Z', zone)).toMatchObject({
      concernsDetected: false,
    });
  });
});

describe('dates as people type them', () => {
  test.each([
    ['me: quote by 10-11-2026', 'Europe/London', '2026-11-10'],
    ['me: quote by 10/11', 'Europe/London', '2026-11-10'],
    ['me: quote by 10/11', 'America/Chicago', '2026-10-11'],
    ['me: quote by Friday 13th', 'America/Chicago', '2026-03-13'],
    ['me: quote by end of the year', 'America/Chicago', '2026-12-31'],
    ['ich: Angebot bis Ende August', zones.de, '2026-08-31'],
    ['ich: Angebot bis Fr, 20.3.', zones.de, '2026-03-20'],
    ['ich: Nachweise morgen hochladen', zones.de, '2026-03-11'],
    ['Messe am 20. April\nich schicke bis dahin ein Muster', zones.de, '2026-04-20'],
  ])('%s in %s', (text, where, dueOn) => {
    expect(actionItemsOf(text, '2026-03-10T14:00:00Z', where).at(-1)).toMatchObject({ dueOn });
  });
});

test('signs of trouble are a concern together, not alone', () => {
  const concerns = (text: string) =>
    sentimentOf(text, '2026-03-10T14:00:00Z', zone).concernsDetected;
  expect(concerns('Call with the office\nGuests got the confirmation twice')).toBe(false);
  expect(
    concerns('Guests got the confirmation twice\nnobody told the front desk\nthey use paper again'),
  ).toBe(true);
});

describe('the mood is not positive', () => {
  test.each([
    ['after the agent’s politeness', 'I thanked them and said how much we appreciate them'],
    ['after praise of a competitor', 'They love HubSpot, it is so easy and great'],
    [
      'with praise beside a complaint',
      'Support is wonderful, great people\nExport is broken again',
    ],
    ['after German politeness', 'Habe mich herzlich bedankt, sehr freundliches Gespräch'],
  ])('%s', (_, text) => {
    expect(sentimentOf(text, '2026-03-10T14:00:00Z', zone).overallSentiment).toBeLessThan(0.2);
  });
});

test('a mood quotes the lines that it is based on', () => {
  const text = 'Usage report\nThey are furious about the outage\nnext call in May';
  const { evidence } = sentimentOf(text, '2026-03-10T14:00:00Z', zone);
  expect(evidence).toEqual(['They are furious about the outage']);
});

test('advice on German notes is in German', () => {
  const call = { calledAt: '2026-03-10T14:00:00Z', timeZone: zone, openItems: [], isOver: false };
  const [first] = coach({ ...call, text: 'Der Kunde ist sehr verärgert und will kündigen' });
  expect(first).toMatchObject({ type: 'risk', priority: 'high' });
  expect(first?.suggestion).toMatch(/Wechsel/);
});

test('a list of actions or a date is a next step', () => {
  const call = { calledAt: '2026-03-10T14:00:00Z', timeZone: zone, openItems: [], isOver: false };
  const talk =
    'We went over the numbers and the plan for the rollout in all of the regions. '.repeat(4);
  const types = (text: string) => coach({ ...call, text }).map(({ type }) => type);
  expect(types(talk)).toContain('next_step');
  expect(types(`${talk}\n- Rosa: export the list\n- Ian to check with legal`)).not.toContain(
    'next_step',
  );
  expect(types(`${talk}\nsteering committee on 14 April`)).not.toContain('next_step');
});

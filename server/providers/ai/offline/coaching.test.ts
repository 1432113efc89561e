import { describe, expect, test } from 'vitest';
import { coach } from './coaching.ts';

const advice = (text: string, openItems: string[] = [], isOver = false) =>
  coach({ text, openItems, isOver, calledAt: '2026-03-10T14:00:00Z', timeZone: 'UTC' });
const long = `Ada: ${'We have many reports, and each of them has filters and charts. '.repeat(10)}`;

describe('a line causes the matching advice, which quotes it', () => {
  test.each([
    ['risk', 'high', 'Ben: We are thinking about cancelling at the end of the year.'],
    ['risk', 'high', 'Ben: The export has stopped working again.'],
    ['objection', 'high', 'Ben: The price is too high for us.'],
    ['competitor', 'high', 'Ben: We are also looking at Gainsight.'],
    ['confusion', 'medium', "Ben: I'm a bit lost, how does that work?"],
    ['objection', 'medium', 'Ben: I am not sure that we are ready.'],
    ['question', 'medium', 'Ben: When does the next training take place?'],
    ['listening', 'medium', long],
    ['advocacy', 'low', 'Ben: We love it, it works perfectly for the whole team!'],
  ])('%s, %s: %s', (type, priority, line) => {
    const found = advice(`Ada: Hello.\n${line}`).find((one) => one.type === type);
    expect(found).toMatchObject({ priority });
    const cited = found?.context.replace(/…$/, '') ?? '';
    expect(cited.length).toBeGreaterThan(10);
    expect(line).toContain(cited);
  });
});

test.each([
  ['a denied risk', 'Ben: We have no plans to cancel.'],
  [
    'a question that was answered',
    'Ben: When does the training take place?\nAda: It is on Tuesday at ten.',
  ],
  ['small talk', 'Ada: How are you?'],
])('%s causes no advice', (_, text) => {
  expect(advice(text)).toEqual([]);
});

test('a conversation without a next step causes advice, one with a date does not', () => {
  const talk = 'Ben: We use the reports every Monday in the meeting with all of the teams. '.repeat(
    4,
  );
  expect(advice(talk).map(({ type }) => type)).toContain('next_step');
  const agreed = `${talk}\nAda: I'll send you the offer by Friday.`;
  expect(advice(agreed).map(({ type }) => type)).not.toContain('next_step');
  expect(advice(talk, [], true), 'too late once it is over').toEqual([]);
});

test('open items of the playbook are listed', () => {
  const [found] = advice('Ada: Hello.', ['Agree on goals', 'Show reports']);
  expect(found).toMatchObject({ type: 'checklist', context: 'Agree on goals · Show reports' });
  expect(found?.suggestion).toContain('Agree on goals');
});

test('the most urgent advice comes first, and there are never more than five', () => {
  const text = `Ben: It is too expensive. We are also looking at Gainsight. We may cancel. I'm confused. It crashed.
Ben: I am not sure. When will it be fixed?\n${long}`;
  const found = advice(text, ['Greet']);
  expect(found.length).toBe(5);
  const order = found.map(({ priority }) => ['high', 'medium', 'low'].indexOf(priority));
  expect(order).toEqual(order.toSorted());
});

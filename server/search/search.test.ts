import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { updateCall } from '#domain/calls/contract.ts';
import { searchCalls } from '#domain/search/contract.ts';
import { correctLine } from '#domain/transcripts/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { storeTranscriptLine } from '#server/testing/transcript-line.ts';
import { newOrganization, runningCall } from '#server/testing/visitor.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof newOrganization>>;
beforeAll(async () => {
  app = await openTestApp();
});
beforeEach(async () => {
  ada = await newOrganization(app);
});
afterAll(() => app.close());

const search = (q: string, more = '') =>
  ada.call(searchCalls, { query: `?q=${encodeURIComponent(q)}${more}` });
/** What is found, with what is highlighted in brackets. */
async function found(q: string, more = ''): Promise<string[]> {
  const { calls } = await search(q, more);
  return calls.flatMap(({ hits }) =>
    hits.map(({ text, marks }) =>
      [...marks]
        .reverse()
        .reduce((all, [from, to]) => `${all.slice(0, from)}[${all.slice(from, to)}]${all.slice(to)}`, text),
    ),
  );
}

test.each([
  ['price', 'The Price is fixed', 'The [Price] is fixed'],
  ['PRICE fixed', 'The price is fixed', 'The [price] is [fixed]'],
  ['"is fixed"', 'The price is fixed', 'The price [is fixed]'],
  ['"is fixed', 'fixed it is', '[fixed] it [is]'],
  ["don't", 'We don’t know', 'We [don’t] know'],
  ['uber', 'Wir reden über Preise', 'Wir reden [über] Preise'],
  ['STRASSE', 'Die Straße ist lang', 'Die [Straße] ist lang'],
  ['привет', 'Привет, мир', '[Привет], мир'],
  ['السعر', 'ما هو السِّعْر الجديد؟', 'ما هو [السِّعْر] الجديد؟'],
  ['שלום', 'שָׁלוֹם לכולם', '[שָׁלוֹם] לכולם'],
  ['東京都', '来週は東京都で会いましょう', '来週は[東京都]で会いましょう'],
  ['会', '来週は東京都で会いましょう', '来週は東京都で[会]いましょう'],
  ['가격', '새로운 가격이 좋아요', '새로운 [가격]이 좋아요'],
  ['ราคา', 'ขอทราบราคาสินค้า', 'ขอทราบ[ราคา]สินค้า'],
  ['100%', 'We are 100% sure', 'We are [100]% sure'],
  ['<b>', 'Use <b>bold</b> text', 'Use <[b]>bold</[b]> text'],
])('%s finds %s', async (q, text, highlighted) => {
  const { call } = await runningCall(ada);
  await storeTranscriptLine(app, call.id, { text });
  await storeTranscriptLine(app, call.id, { text: 'Something else' });
  expect(await found(q)).toEqual([highlighted]);
});

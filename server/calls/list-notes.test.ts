import { afterAll, beforeAll, expect, test } from 'vitest';
import { listCalls, readCall, updateCall } from '#domain/calls/contract.ts';
import { openTestApp, type TestApp } from '#server/testing/open-test-app.ts';
import { newOrganization, runningCall } from '#server/testing/visitor.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const jsonBytes = (text: string) => Buffer.byteLength(JSON.stringify(text));

test.each([
  ['of ASCII', 'x'.repeat(1_000_000), 15_998],
  ['of quotes and line breaks', '"\n'.repeat(50_000), 15_996],
  ['of control characters', '\u0001'.repeat(20_000), 15_998],
  ['of three bytes each', '漢'.repeat(400_000), 15_998],
  ['of surrogate pairs at an odd place', `a${'😀'.repeat(100_000)}`, 15_998],
])(
  'a list of calls contains at most 16,000 bytes of notes %s, and marks them as cut',
  async (_, notes, least) => {
    const ada = await newOrganization(app);
    const { call } = await runningCall(ada);
    // As the panel stores them: the API removes control characters.
    await app.owner.query('update calls set notes_snapshot = $2 where id = $1', [call.id, notes]);
    const [listed] = await ada.call(listCalls, {});
    const start = listed?.notesSnapshot ?? '';
    expect(jsonBytes(start)).toBeLessThanOrEqual(16_000);
    expect(jsonBytes(start)).toBeGreaterThan(least - 4);
    expect(notes.startsWith(start) && start.isWellFormed()).toBe(true);
    expect(listed?.notesTruncated).toBe(true);
    const whole = await ada.call(readCall, { params: { id: call.id } });
    expect(whole.notesSnapshot === notes).toBe(true);
  },
);

test('notes within the limit are listed completely, without a mark', async () => {
  const ada = await newOrganization(app);
  const { call } = await runningCall(ada);
  const notes = 'x'.repeat(15_998);
  await ada.call(updateCall, { params: { id: call.id }, body: { notesSnapshot: notes } });
  const [listed] = await ada.call(listCalls, {});
  expect(listed).not.toHaveProperty('notesTruncated');
  expect(listed?.notesSnapshot).toBe(notes);
});

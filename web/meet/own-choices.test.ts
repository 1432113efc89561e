// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { OwnChoices } from './own-choices.ts';
import type { MeetingEntry } from './read-entry.ts';

const guest = { kind: 'guest', token: 't', organization: null, room: null, name: null } as const;
beforeEach(() => localStorage.clear());

test('the preview is skipped at the newest links where that was chosen', () => {
  const chosenAt = (scope: string) => new OwnChoices({ ...guest, scope }, false, localStorage);
  for (let link = 0; link <= 20; link += 1) chosenAt(`/join/${link}`).skipPreview(true);
  chosenAt('/join/20').skipPreview(false);
  const skips = ['0', '1', '19', '20'].map((link) => chosenAt(`/join/${link}`).skipsPreview);
  expect(skips).toEqual([false, true, true, false]);
});

const pages: [string, boolean, boolean][] = [
  ['within the application', true, true],
  ['in a page of its own', false, false],
];
test.each(pages)('a member’s preview %s may be skipped: %s', (_, isFramed, may) => {
  const entry: MeetingEntry = { kind: 'staff', scope: '/meet/r', token: 't' };
  const choices = new OwnChoices(entry, isFramed, localStorage);
  choices.skipPreview(true);
  expect([choices.maySkipPreview, choices.skipsPreview]).toEqual([may, may]);
});

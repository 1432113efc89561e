// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { emptyRoster } from '#web/live/roster.ts';
import type { PeerView } from '#web/media/peer-view.ts';
import { foreground } from './foreground.ts';

vi.stubGlobal('MediaStream', class {});
const view = (): PeerView => ({
  state: 'connected',
  audio: null,
  audioReceiver: null,
  video: new MediaStream(),
  screen: new MediaStream(),
  screenAudio: null,
});
const person = (id: string, media = {}) => ({
  id,
  name: id,
  kind: 'guest' as const,
  connected: true,
  avatar: null,
  inMeeting: true,
  media: { audio: true, video: true, ...media },
});
const views = new Map(['ada', 'bo'].map((id) => [id, view()]));

function shown(active: string | null, ...others: ReturnType<typeof person>[]) {
  const participants = [person('self'), ...others];
  return foreground({ roster: { ...emptyRoster, self: 'self', participants }, views }, active);
}

test('foreground prefers a shared screen, then the active speaker, then any other participant', () => {
  expect(shown(null)).toBeNull();
  expect(shown(null, person('ada'), person('bo'))?.stream).toBe(views.get('ada')?.video);
  expect(shown('bo', person('ada'), person('bo'))?.stream).toBe(views.get('bo')?.video);
  const screen = shown('bo', person('ada', { screen: true }), person('bo'));
  expect(screen?.stream).toBe(views.get('ada')?.screen);
});

test('a participant whose camera is off has a name and no stream', () => {
  expect(shown('bo', person('bo', { video: false }))).toEqual({
    id: 'bo',
    name: 'bo',
    stream: null,
  });
});

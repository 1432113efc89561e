import { othersInMeeting } from '#web/live/roster.ts';
import type { PeerView } from '#web/media/peer-view.ts';
import type { MeetingState } from '../meeting-state.ts';

export type Foreground = { id: string; name: string; stream: MediaStream | null };

/**
 * Returns the one of the others to show where there is room for one: a shared screen, else the
 * active speaker.
 */
export function foreground(
  { roster, views }: Pick<MeetingState, 'roster' | 'views'>,
  active: string | null,
): Foreground | null {
  const others = othersInMeeting(roster);
  const sharing = others.find(({ id, media }) => media.screen && views.get(id)?.screen);
  const shown = sharing ?? others.find(({ id }) => id === active) ?? others[0];
  if (!shown) return null;
  const view: PeerView | undefined = views.get(shown.id);
  const camera = shown.media.video ? (view?.video ?? null) : null;
  const stream = shown === sharing ? (view?.screen ?? null) : camera;
  return { id: shown.id, name: shown.name, stream };
}

import type { Participant } from '#domain/calls/participant.ts';
import { othersInMeeting, type Roster } from '#web/live/roster.ts';
import { text } from './texts.ts';

/** Returns the announcements for a change of the roster: who joined, left, shares a screen, raised a hand. */
export function rosterNews(before: Roster, after: Roster): string[] {
  const [was, is] = [othersInMeeting(before), othersInMeeting(after)];
  const began = (doing: (one: Participant) => unknown) => {
    const already = new Set(was.filter(doing).map(({ id }) => id));
    return is.filter((one) => doing(one) && !already.has(one.id));
  };
  const there = () => true;
  const gone = was.filter(({ id }) => !is.some((one) => one.id === id));
  return [
    ...began(there).map(({ name }) => text('meeting.joined', { name })),
    ...gone.map(({ name }) => text('meeting.left', { name })),
    ...began(({ media }) => media.screen).map(({ name }) => text('meeting.sharing', { name })),
    ...began(({ media }) => media.hand).map(({ name }) => text('meeting.raisedHand', { name })),
  ];
}

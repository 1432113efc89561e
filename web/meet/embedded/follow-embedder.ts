import type { RoomCommand } from '#domain/embedding/channel.ts';
import { hasShape, isText } from '#domain/shape.ts';
import type { Meeting } from '../meeting.ts';
import type { Entry } from '../read-entry.ts';
import { knownAtFirst, knownOf, newsBetween } from './embedder-news.ts';
import { EmbedderPort, type FramedWindow } from './embedder-port.ts';

const checkSeconds = 60;

export interface Embedding {
  inside: FramedWindow;
  /** The sites that the organization has listed, as the server wrote them into the page. */
  origins: readonly string[];
  /** Returns the sites that are listed now; null if the server does not say. */
  listedNow: () => Promise<string[] | null>;
  entry: Entry;
  meeting: Meeting | null;
}

/** Tells the page around the frame what happens in the meeting, and follows its commands. */
export function followEmbedder({ inside, origins, listedNow, entry, meeting }: Embedding): void {
  const port = new EmbedderPort({
    inside,
    origins,
    onConnect: (origin) => {
      void checkLater(port, origin, listedNow);
      if (meeting) tellNews(port, meeting);
      else port.send({ type: 'error', ...refusalOf(entry) });
    },
    onCommand: (command) => meeting && obey(meeting, command),
  });
}

function tellNews(port: EmbedderPort, meeting: Meeting): void {
  let known = knownAtFirst;
  const tell = () => {
    const { wished, problems } = meeting.media.getSnapshot();
    const state = meeting.getSnapshot();
    const now = knownOf(state, wished.audio && problems.audio === undefined);
    for (const news of newsBetween(known, now, state.ending)) port.send(news);
    known = now;
  };
  meeting.subscribe(tell);
  meeting.media.subscribe(tell);
  tell();
}

/** Without effect where nothing changes, so repeated commands cost nothing. */
function obey(meeting: Meeting, { type }: RoomCommand): void {
  const on = type === 'unmute';
  const isOver = meeting.getSnapshot().phase === 'over';
  if (type === 'leave') meeting.leave();
  else if (!isOver && meeting.media.getSnapshot().wished.audio !== on) {
    void meeting.media.switch('audio', on);
  }
}

function refusalOf(entry: Entry): { code: string; message: string } {
  if (entry.kind === 'refused') return { code: entry.code, message: entry.message };
  if (entry.kind === 'closed') return { code: 'room_closed', message: 'This room is closed now.' };
  return { code: 'no_events', message: 'This call is a hosted page, which sends no events.' };
}

/**
 * A site that an admin removes from the list loses the channel within a minute. The person stays in the call, as
 * with an ended guest link: the frame's next load is refused.
 */
async function checkLater(
  port: EmbedderPort,
  origin: string,
  listedNow: Embedding['listedNow'],
): Promise<void> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, checkSeconds * 1000));
    const listed = await listedNow();
    if (listed === null || listed.includes(origin)) continue;
    const message = 'An admin has removed this site from the sites that may embed calls.';
    port.send({ type: 'error', code: 'origin_removed', message });
    port.close();
    return;
  }
}

/** Asks the server for the sites that are listed now, by the token in the frame's address. */
export async function readListedOrigins(token: string): Promise<string[] | null> {
  try {
    const answer = await fetch(`/api/embedding/origins/${encodeURIComponent(token)}`);
    const body: unknown = answer.ok ? await answer.json() : null;
    const areTexts = (value: unknown): value is string[] =>
      Array.isArray(value) && value.every(isText);
    return hasShape<{ origins: string[] }>(body, { origins: areTexts }) ? body.origins : null;
  } catch {
    return null;
  }
}

import type { OrgId } from '#domain/ids.ts';
import type { CallWithoutNotes } from '#server/calls/store.ts';
import type { Conversation } from '#server/providers/ai/port.ts';

interface About {
  roomTopic?: string | null | undefined;
  playbookTitle?: string | null | undefined;
  timeZone?: string | null | undefined;
}

/** Returns the input of an analyzer: the text, and the stored data of the call. */
export function conversationOfCall(
  orgId: OrgId,
  call: CallWithoutNotes,
  text: string,
  about: About = {},
): Conversation {
  return {
    orgId,
    text,
    roomTopic: about.roomTopic ?? call.room.topic,
    playbookTitle: about.playbookTitle ?? null,
    openItems: call.checklistItems
      .filter(({ id }) => call.checklistStateJson[id] !== true)
      .map((item) => item.text),
    isOver: call.endedAt !== null,
    calledAt: call.startedAt,
    timeZone: about.timeZone ?? 'UTC',
  };
}

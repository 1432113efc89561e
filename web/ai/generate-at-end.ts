import type { QueryClient } from '@tanstack/react-query';
import { generateActionItems, listActionItems, longestConversation } from '#domain/ai/contract.ts';
import { actionItemsAfterCharacters, lastCharacters } from '#domain/ai/rules.ts';
import type { Call } from '#domain/calls/contract.ts';
import { ownTimeZone } from '#web/ai/own-time-zone.ts';
import { request } from '#web/platform/api.ts';
import { reading } from '#web/platform/query-client.ts';

/**
 * Requests the action items of a call that just ended, from notes of over 500 characters. The
 * server keeps one list for each call, so a repeated request changes nothing.
 */
export async function generateAtEnd(
  queryClient: QueryClient,
  { id, notesSnapshot, room }: Call,
  playbookTitle: string | null,
): Promise<void> {
  const text = notesSnapshot ?? '';
  if (text.length <= actionItemsAfterCharacters) return;
  const fullConversation = lastCharacters(text, longestConversation);
  const body = {
    callId: id,
    fullConversation,
    roomTopic: room.topic,
    playbookTitle,
    timeZone: ownTimeZone(),
    currentNotes: fullConversation,
  };
  try {
    await request(generateActionItems, { body });
    const list = reading(listActionItems, { params: { id } });
    await queryClient.invalidateQueries({ queryKey: list.queryKey });
  } catch (error) {
    // The server generates them itself a little later.
    console.error('The action items could not be generated', error);
  }
}

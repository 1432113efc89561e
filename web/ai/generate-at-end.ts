import type { QueryClient } from '@tanstack/react-query';
import { regenerateActionItems } from '#domain/action-items/contract.ts';
import { generateActionItems, longestConversation } from '#domain/ai/contract.ts';
import { actionItemsAfterCharacters, lastCharacters } from '#domain/ai/rules.ts';
import type { Call } from '#domain/calls/contract.ts';
import { actionItemsPath } from '#web/action-items/queries.ts';
import { ownTimeZone } from '#web/ai/own-time-zone.ts';
import { request } from '#web/platform/api.ts';
import { keyOf } from '#web/platform/query-client.ts';

/** Requests the action items of a call that just ended. The server keeps one list for each call. */
export async function generateAtEnd(
  queryClient: QueryClient,
  { id, notesSnapshot, room }: Call,
  playbookTitle: string | null,
): Promise<void> {
  const text = notesSnapshot ?? '';
  if (text.trim() === '') return;
  const timeZone = ownTimeZone();
  const fullConversation = lastCharacters(text, longestConversation);
  const body = {
    callId: id,
    fullConversation,
    roomTopic: room.topic,
    playbookTitle,
    currentNotes: fullConversation,
    timeZone,
  };
  try {
    // Spec section 4: the analysis that everyone sees is of over 500 characters. The call's list is of any notes.
    if (text.length > actionItemsAfterCharacters) await request(generateActionItems, { body });
    else await request(regenerateActionItems, { params: { id }, body: { timeZone } });
    await queryClient.invalidateQueries({ queryKey: keyOf(actionItemsPath(id)) });
  } catch (error) {
    // The server generates them itself a little later.
    console.error('The action items could not be generated', error);
  }
}

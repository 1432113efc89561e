import type { StoredActionItem } from '#domain/action-items/contract.ts';
import type { CallDetails } from '#domain/calls/contract.ts';
import type { TranscriptLine } from '#domain/transcripts/contract.ts';
import type { Marker } from '#web/player/marker.ts';

interface Sources {
  call: Pick<CallDetails, 'startedAt' | 'checklistItems' | 'tickedAt'>;
  messages: readonly { id: string; name: string; text: string; sentAt: string }[];
  items: readonly StoredActionItem[];
  lines: readonly TranscriptLine[];
}

/** Returns what happened during a call, at the milliseconds after its start, in order. */
export function callMarkers({ call, messages, items, lines }: Sources): Marker[] {
  const after = (iso: string) => Date.parse(iso) - Date.parse(call.startedAt);
  const ticks = call.checklistItems.flatMap(({ id, text }): Marker[] => {
    const at = call.tickedAt[id];
    return at ? [{ id: `tick:${id}`, kind: 'tick', atMs: after(at), text }] : [];
  });
  const chat = messages.map(
    ({ id, name, text, sentAt }): Marker => ({
      id: `message:${id}`,
      kind: 'message',
      atMs: after(sentAt),
      text: `${name}: ${text}`,
    }),
  );
  const promised = items.flatMap((item): Marker[] => {
    const line = sourceOf(item, lines);
    return line
      ? [{ id: `item:${item.id}`, kind: 'item', atMs: line.startMs, text: item.title }]
      : [];
  });
  return [...ticks, ...chat, ...promised]
    .filter(({ atMs }) => atMs >= 0)
    .toSorted((a, b) => a.atMs - b.atMs);
}

/** The line that a generated item quotes. An item that a member wrote quotes none. */
function sourceOf(item: StoredActionItem, lines: readonly TranscriptLine[]) {
  const quote = plain(item.description);
  if (!item.isGenerated || item.isEdited || quote === '') return undefined;
  return lines.find(({ text }) => {
    const said = plain(text);
    return said !== '' && (said.includes(quote) || quote.includes(said));
  });
}

const plain = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

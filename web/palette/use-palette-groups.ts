import { keepPreviousData, useQuery } from '@tanstack/react-query';
import '#web/platform/search-texts.ts';
import { ListChecks, Phone, Search, Video } from 'lucide-react';
import type { PlaybookId, RoomId } from '#domain/ids.ts';
import { listPlaybooks } from '#domain/playbooks/contract.ts';
import { listRooms } from '#domain/rooms/contract.ts';
import { callDetailsPath } from '#web/calls/paths.ts';
import { useRecentCalls } from '#web/calls/queries.ts';
import { reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { formatDateTime } from '#web/platform/time-ago.ts';
import { useDebounced } from '#web/platform/use-debounced.ts';
import { playbookPath } from '#web/playbooks/paths.ts';
import { roomPath } from '#web/rooms/paths.ts';
import type { PaletteEntry } from './palette-entry.ts';
import { useFixedEntries } from './use-fixed-entries.ts';
import { useGo } from './use-go.ts';

interface PaletteGroup {
  title: string;
  entries: readonly PaletteEntry[];
}

const mostOfEach = 6;
const restMs = 150;

/** Returns the palette's entries for the typed text. The server searches rooms and playbooks. */
export function usePaletteGroups(typed: string): {
  groups: PaletteGroup[];
  /** Of what was found; a search of what was said in calls is offered, too. */
  count: number;
  isSearching: boolean;
} {
  const search = useDebounced(typed.trim(), restMs);
  const query = { limit: mostOfEach, ...(search ? { search } : {}) };
  const found = { placeholderData: keepPreviousData, staleTime: 0 };
  const rooms = useQuery({ ...reading(listRooms, { query }), ...found });
  const playbooks = useQuery({ ...reading(listPlaybooks, { query }), ...found });
  const fixed = useFixedEntries();
  const said = useSearchEntry(typed.trim());
  const lists = useListedEntries(rooms.data ?? [], playbooks.data ?? []);
  const words = typed.trim().toLowerCase();
  const matching = (entries: readonly PaletteEntry[]) =>
    entries.filter(({ title, note = '' }) => `${title} ${note}`.toLowerCase().includes(words));
  const groups = [
    { title: t('palette.groups.actions'), entries: matching(fixed.actions) },
    { title: t('palette.groups.pages'), entries: matching(fixed.pages) },
    // A setting is found by its name; all of them would hide what people look for most.
    { title: t('palette.groups.settings'), entries: words ? matching(fixed.settings) : [] },
    { title: t('palette.groups.rooms'), entries: matching(lists.rooms) },
    { title: t('palette.groups.playbooks'), entries: matching(lists.playbooks) },
    { title: t('palette.groups.calls'), entries: matching(lists.calls) },
  ];
  const count = groups.reduce((sum, { entries }) => sum + entries.length, 0);
  if (said) groups.push({ title: t('search.title'), entries: [said] });
  return {
    groups: groups.filter(({ entries }) => entries.length > 0),
    count,
    isSearching: rooms.isFetching || playbooks.isFetching || search !== typed.trim(),
  };
}

function useSearchEntry(text: string): PaletteEntry | null {
  const go = useGo();
  if (text === '') return null;
  return {
    id: 'search-calls',
    title: t('search.for', { text }),
    icon: Search,
    go: go(`/app/search?${new URLSearchParams({ q: text })}`),
  };
}

function useListedEntries(
  rooms: readonly { id: RoomId; topic: string }[],
  playbooks: readonly { id: PlaybookId; title: string }[],
) {
  const go = useGo();
  const { data: calls = [] } = useRecentCalls();
  return {
    rooms: rooms.map(({ id, topic }) => ({
      id: `room-${id}`,
      title: topic,
      icon: Video,
      go: go(roomPath(id)),
    })),
    playbooks: playbooks.map(({ id, title }) => ({
      id: `playbook-${id}`,
      title,
      icon: ListChecks,
      go: go(playbookPath(id)),
    })),
    calls: calls.map(({ id, room, startedAt }) => ({
      id: `call-${id}`,
      title: room.topic,
      note: formatDateTime(startedAt),
      icon: Phone,
      go: go(callDetailsPath(id)),
    })),
  };
}

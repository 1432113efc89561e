import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  ListChecks,
  ListPlus,
  ListTodo,
  LogOut,
  type LucideIcon,
  Mic,
  Phone,
  Plus,
  Video,
} from 'lucide-react';
import { useNavigate } from 'react-router';
import { listPlaybooks } from '#domain/playbooks/contract.ts';
import { listRooms } from '#domain/rooms/contract.ts';
import { useLogout } from '#web/auth/queries.ts';
import { useMay } from '#web/auth/use-may.ts';
import { callDetailsPath } from '#web/calls/paths.ts';
import { useRecentCalls } from '#web/calls/queries.ts';
import { leaveBy } from '#web/platform/hold-back.ts';
import { reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { formatDateTime } from '#web/platform/time-ago.ts';
import { useDebounced } from '#web/platform/use-debounced.ts';
import { callPath } from '#web/rooms/paths.ts';
import { adminItems, navItems } from '#web/shell/nav-items.ts';

export interface PaletteEntry {
  id: string;
  title: string;
  /** Distinguishes entries with the same title, and says what choosing one does. */
  note?: string;
  icon: LucideIcon;
  go: () => void;
}
export interface PaletteGroup {
  title: string;
  entries: readonly PaletteEntry[];
}

const mostOfEach = 6;
const restMs = 150;

/** Returns the palette's entries for the typed text. The server searches rooms and playbooks. */
export function usePaletteGroups(typed: string): { groups: PaletteGroup[]; isSearching: boolean } {
  const search = useDebounced(typed.trim(), restMs);
  const query = { limit: mostOfEach, ...(search ? { search } : {}) };
  const found = { placeholderData: keepPreviousData, staleTime: 0 };
  const rooms = useQuery({ ...reading(listRooms, { query }), ...found });
  const playbooks = useQuery({ ...reading(listPlaybooks, { query }), ...found });
  const fixed = useFixedEntries();
  const lists = useListedEntries(rooms.data ?? [], playbooks.data ?? []);
  const words = typed.trim().toLowerCase();
  const matching = (entries: readonly PaletteEntry[]) =>
    entries.filter(({ title }) => title.toLowerCase().includes(words));
  const groups = [
    { title: t('palette.groups.actions'), entries: matching(fixed.actions) },
    { title: t('palette.groups.pages'), entries: matching(fixed.pages) },
    { title: t('palette.groups.rooms'), entries: matching(lists.rooms) },
    { title: t('palette.groups.playbooks'), entries: matching(lists.playbooks) },
    { title: t('palette.groups.calls'), entries: matching(lists.calls) },
  ];
  return {
    groups: groups.filter(({ entries }) => entries.length > 0),
    isSearching: rooms.isFetching || playbooks.isFetching || search !== typed.trim(),
  };
}

/** Navigates, after asking if the page has unsaved changes. */
function useGo() {
  const navigate = useNavigate();
  return (path: string) => () => leaveBy(() => void navigate(path));
}

function useFixedEntries() {
  const go = useGo();
  const { mutate: logout } = useLogout();
  const administers = useMay('team.manage');
  const actions: (PaletteEntry | false)[] = [
    useMay('rooms.create') && {
      id: 'create-room',
      title: t('rooms.create'),
      icon: Plus,
      go: go('/app/rooms?room'),
    },
    useMay('playbooks.create') && {
      id: 'new-playbook',
      title: t('dashboard.newPlaybook'),
      icon: ListPlus,
      go: go('/app/playbooks?new'),
    },
    useMay('rooms.create') && {
      id: 'getting-started',
      title: t('start.title'),
      icon: ListTodo,
      go: go('/app?start'),
    },
    { id: 'test-devices', title: t('devices.title'), icon: Mic, go: go('/app/devices') },
    { id: 'log-out', title: t('shell.logout'), icon: LogOut, go: () => leaveBy(() => logout()) },
  ];
  const pages = [...navItems, ...(administers ? adminItems : [])].map(({ to, title, icon }) => ({
    id: to,
    title,
    icon,
    go: go(to),
  }));
  return { actions: actions.filter((entry) => entry !== false), pages };
}

interface Named {
  id: string;
}

function useListedEntries(
  rooms: readonly { id: Parameters<typeof callPath>[0]; topic: string }[],
  playbooks: readonly (Named & { title: string })[],
) {
  const go = useGo();
  const mayEdit = useMay('playbooks.update');
  const { data: calls = [] } = useRecentCalls();
  const playbookPath = (id: string, title: string) =>
    mayEdit ? `/app/playbooks?edit=${id}` : `/app/playbooks?q=${encodeURIComponent(title)}`;
  return {
    rooms: rooms.map(({ id, topic }) => ({
      id: `room-${id}`,
      title: topic,
      note: t('palette.join'),
      icon: Video,
      go: go(callPath(id)),
    })),
    playbooks: playbooks.map(({ id, title }) => ({
      id: `playbook-${id}`,
      title,
      icon: ListChecks,
      go: go(playbookPath(id, title)),
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

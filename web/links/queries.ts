import '#web/platform/links-texts.ts';
import { useQuery } from '@tanstack/react-query';
import type { SentBodyOf } from '#domain/contract.ts';
import type { GuestLinkId, OrgId, RoomId } from '#domain/ids.ts';
import {
  changeGuestAccess,
  changeWaitingText,
  createLink,
  listLinks,
  readGuestAccess,
  readPersonalRoom,
  readWaitingText,
  renamePersonalRoom,
  revokeLink,
} from '#domain/links/contract.ts';
import { readGuestLink } from '#domain/rooms/contract.ts';
import { request } from '#web/platform/api.ts';
import { usePagesOf } from '#web/platform/pages-of.ts';
import { reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';

/** Fetched each time: another person may have renewed the link. */
export const useMainLink = (id: RoomId) =>
  useQuery({ ...reading(readGuestLink, { params: { id } }), gcTime: 0 });

const guestAccess = (id: RoomId) => reading(readGuestAccess, { params: { id } });
export const useGuestAccess = (id: RoomId) => useQuery(guestAccess(id));

const personalRoom = reading(readPersonalRoom, {});
export const usePersonalRoom = () => useQuery(personalRoom);

const ownWaitingText = (orgId: OrgId) => reading(readWaitingText, { params: { orgId } });
export const useWaitingText = (orgId: OrgId) => useQuery(ownWaitingText(orgId));

export const useLinkPages = (id: RoomId) => usePagesOf(listLinks, { params: { id }, query: {} });

export const useCreateLink = (id: RoomId) =>
  useApiMutation(
    (body: SentBodyOf<typeof createLink>) => request(createLink, { params: { id }, body }),
    {
      done: { title: t('links.new.done') },
      failed: t('links.new.failed'),
      refresh: `/api/rooms/${id}/guest-links`,
      refreshMode: 'background',
    },
  );

export const useRevokeLink = (room: RoomId) =>
  useApiMutation((id: GuestLinkId) => request(revokeLink, { params: { id } }), {
    done: { title: t('links.revoke.done') },
    failed: t('links.revoke.failed'),
    refresh: `/api/rooms/${room}/guest-links`,
  });

export const useChangeGuestAccess = (id: RoomId) =>
  useApiMutation(
    (body: SentBodyOf<typeof changeGuestAccess>) =>
      request(changeGuestAccess, { params: { id }, body }),
    {
      done: { title: t('links.saved') },
      failed: t('links.saveFailed'),
      stores: guestAccess(id).queryKey,
    },
  );

export const useChangeWaitingText = (orgId: OrgId) =>
  useApiMutation(
    (waitingText: string) =>
      request(changeWaitingText, { params: { orgId }, body: { waitingText } }),
    {
      done: { title: t('links.saved') },
      failed: t('links.saveFailed'),
      stores: ownWaitingText(orgId).queryKey,
    },
  );

export const useRenamePersonalRoom = () =>
  useApiMutation(
    (body: SentBodyOf<typeof renamePersonalRoom>) => request(renamePersonalRoom, { body }),
    {
      done: { title: t('links.personal.renamed') },
      failed: t('links.saveFailed'),
      stores: personalRoom.queryKey,
    },
  );

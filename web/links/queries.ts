import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
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
import { keyOf, reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { serverMessage, toastFailure } from '#web/platform/toast-failure.ts';
import { toast } from '#web/ui/toast-store.ts';

/** Fetched each time: another person may have renewed the link. */
export const useMainLink = (id: RoomId) =>
  useQuery({ ...reading(readGuestLink, { params: { id } }), gcTime: 0 });

export const useGuestAccess = (id: RoomId) =>
  useQuery(reading(readGuestAccess, { params: { id } }));

export const usePersonalRoom = () => useQuery(reading(readPersonalRoom, {}));

export const useWaitingText = (orgId: OrgId) =>
  useQuery(reading(readWaitingText, { params: { orgId } }));

export const useLinkPages = (id: RoomId) => usePagesOf(listLinks, { params: { id }, query: {} });

export function useCreateLink(id: RoomId) {
  const refresh = useRefresh(`/api/rooms/${id}/guest-links`);
  return useMutation({
    mutationFn: (body: SentBodyOf<typeof createLink>) =>
      request(createLink, { params: { id }, body }),
    onSuccess: () => {
      toast({ title: t('links.new.done') });
      void refresh();
    },
    onError: (error) => toastFailure(error, serverMessage(error, t('links.new.failed'))),
  });
}

export function useRevokeLink(room: RoomId) {
  const refresh = useRefresh(`/api/rooms/${room}/guest-links`);
  return useMutation({
    mutationFn: (id: GuestLinkId) => request(revokeLink, { params: { id } }),
    onSuccess: () => {
      toast({ title: t('links.revoke.done') });
      return refresh();
    },
    onError: (error) => toastFailure(error, serverMessage(error, t('links.revoke.failed'))),
  });
}

export function useChangeGuestAccess(id: RoomId) {
  const refresh = useRefresh(`/api/rooms/${id}/guest-access`);
  return useMutation({
    mutationFn: (body: SentBodyOf<typeof changeGuestAccess>) =>
      request(changeGuestAccess, { params: { id }, body }),
    onSuccess: () => {
      toast({ title: t('links.saved') });
      return refresh();
    },
    onError: (error) => toastFailure(error, serverMessage(error, t('links.saveFailed'))),
  });
}

export function useChangeWaitingText(orgId: OrgId) {
  const refresh = useRefresh(`/api/organizations/${orgId}/waiting-text`);
  return useMutation({
    mutationFn: (waitingText: string) =>
      request(changeWaitingText, { params: { orgId }, body: { waitingText } }),
    onSuccess: () => {
      toast({ title: t('links.saved') });
      return refresh();
    },
    onError: (error) => toastFailure(error, serverMessage(error, t('links.saveFailed'))),
  });
}

export function useRenamePersonalRoom() {
  const refresh = useRefresh('/api/personal-room');
  return useMutation({
    mutationFn: (body: SentBodyOf<typeof renamePersonalRoom>) =>
      request(renamePersonalRoom, { body }),
    onSuccess: () => {
      toast({ title: t('links.personal.renamed') });
      return refresh();
    },
    onError: (error) => toastFailure(error, serverMessage(error, t('links.saveFailed'))),
  });
}

function useRefresh(path: `/api/${string}`) {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: keyOf(path) });
}

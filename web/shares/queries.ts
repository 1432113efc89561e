import { useQuery } from '@tanstack/react-query';
import type { SentBodyOf } from '#domain/contract.ts';
import type { CallId, ShareId } from '#domain/ids.ts';
import { createShare, listShares, readShared, revokeShare } from '#domain/shares/contract.ts';
import { isRefusal, request } from '#web/platform/api.ts';
import { reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';

const sharesPath = (id: CallId) => `/api/calls/${id}/recording-shares` as const;

export const useShares = (id: CallId) =>
  useQuery({ ...reading(listShares, { params: { id } }), staleTime: 0 });

export const useCreateShare = (id: CallId) =>
  useApiMutation(
    (body: SentBodyOf<typeof createShare>) => request(createShare, { params: { id }, body }),
    // The form shows what was refused.
    { failed: t('player.sharing.failed'), isHandled: isRefusal, refresh: sharesPath(id) },
  );

export const useRevokeShare = (id: CallId) =>
  useApiMutation((share: ShareId) => request(revokeShare, { params: { id: share } }), {
    done: { title: t('player.sharing.revoked') },
    failed: t('player.sharing.notRevoked'),
    refresh: sharesPath(id),
    refreshMode: 'always',
  });

export const useShared = (token: string) =>
  useQuery({ ...reading(readShared, { params: { token } }), staleTime: 0 });

import '#web/platform/call-texts.ts';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import {
  addActionItem,
  deleteActionItem,
  listActionItems,
  listOpenActionItems,
  regenerateActionItems,
  type StoredActionItem,
  updateActionItem,
} from '#domain/action-items/contract.ts';
import type { SentBodyOf } from '#domain/contract.ts';
import type { CallId, RoomId } from '#domain/ids.ts';
import { ownTimeZone } from '#web/ai/own-time-zone.ts';
import { request } from '#web/platform/api.ts';
import { keyOf, reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';

export const actionItemsPath = (id: CallId) => `/api/calls/${id}/action-items` as const;
/** The lists of calls and rooms. */
const refreshed = {
  refresh: (queryClient: QueryClient) =>
    queryClient.invalidateQueries({
      predicate: ({ queryKey }) => queryKey.includes('action-items'),
    }),
  refreshMode: 'always',
} as const;

/** Colleagues change the list, so it is read again each time it is opened. */
export const useActionItems = (id: CallId) =>
  useQuery({ ...reading(listActionItems, { params: { id } }), staleTime: 0 });

export const useOpenActionItems = (id: RoomId) =>
  useQuery({ ...reading(listOpenActionItems, { params: { id } }), staleTime: 0 });

export const useAddActionItem = (id: CallId) =>
  useApiMutation(
    (body: SentBodyOf<typeof addActionItem>) => request(addActionItem, { params: { id }, body }),
    { failed: t('ai.actionItems.notAdded'), ...refreshed },
  );

export const useUpdateActionItem = ({ id }: StoredActionItem) =>
  useApiMutation(
    (body: SentBodyOf<typeof updateActionItem>) =>
      request(updateActionItem, { params: { id }, body }),
    { failed: t('ai.actionItems.notSaved'), ...refreshed },
  );

export const useDeleteActionItem = ({ id }: StoredActionItem) =>
  useApiMutation(() => request(deleteActionItem, { params: { id } }), {
    done: { title: t('ai.actionItems.deleted') },
    failed: t('ai.actionItems.notDeleted'),
    ...refreshed,
  });

export const useRegenerateActionItems = (id: CallId) =>
  useApiMutation(
    () => request(regenerateActionItems, { params: { id }, body: { timeZone: ownTimeZone() } }),
    {
      failed: t('ai.actionItems.notGenerated'),
      stores: keyOf(actionItemsPath(id)),
    },
  );

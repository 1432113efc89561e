import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SentBodyOf, SentQueryOf } from '#domain/contract.ts';
import type { PlaybookId } from '#domain/ids.ts';
import {
  archivePlaybook,
  createPlaybook,
  listPlaybooks,
  type Playbook,
  readPlaybook,
  restorePlaybook,
  updatePlaybook,
} from '#domain/playbooks/contract.ts';
import { request } from '#web/platform/api.ts';
import { usePagesOf } from '#web/platform/pages-of.ts';
import { keyOf, reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { serverMessage, toastFailure } from '#web/platform/toast-failure.ts';
import { toast } from '#web/ui/toast-store.ts';

/** The active playbooks, as many as one answer holds. Other people create some, too. */
export const useAllPlaybooks = () =>
  useQuery({ ...reading(listPlaybooks, { query: { limit: 200 } }), staleTime: 0 });

export const usePlaybookPages = (query: SentQueryOf<typeof listPlaybooks>) =>
  usePagesOf(listPlaybooks, { query });

/** Always fetched: an edit starts from the newest version. */
export const usePlaybook = (id: PlaybookId) =>
  useQuery({ ...reading(readPlaybook, { params: { id } }), gcTime: 0 });

export function useCreatePlaybook() {
  const refresh = useRefreshPlaybooks();
  return useMutation({
    mutationFn: (body: SentBodyOf<typeof createPlaybook>) => request(createPlaybook, { body }),
    onSuccess: () => {
      toast({ title: t('playbooks.createdToast') });
      // Not awaited: the form is done.
      void refresh();
    },
    onError: (error) => toastFailure(error, t('playbooks.createFailed')),
  });
}

export function useUpdatePlaybook() {
  const refresh = useRefreshPlaybooks();
  return useMutation({
    mutationFn: ({ id, ...body }: SentBodyOf<typeof updatePlaybook> & { id: PlaybookId }) =>
      request(updatePlaybook, { params: { id }, body }),
    onSuccess: () => {
      toast({ title: t('playbooks.edit.done') });
      // Not awaited: the form is done.
      void refresh();
    },
    onError: (error) => toastFailure(error, t('playbooks.edit.failed')),
  });
}

export function useArchivePlaybook() {
  const refresh = useRefreshPlaybooks();
  return useMutation({
    mutationFn: ({ id }: Pick<Playbook, 'id'>) => request(archivePlaybook, { params: { id } }),
    onSuccess: () => {
      toast({ title: t('playbooks.archive.done'), description: t('playbooks.archive.doneText') });
      return refresh();
    },
    onError: (error) => toastFailure(error, serverMessage(error, t('playbooks.archive.failed'))),
  });
}

export function useRestorePlaybook() {
  const refresh = useRefreshPlaybooks();
  return useMutation({
    mutationFn: ({ id }: Pick<Playbook, 'id'>) => request(restorePlaybook, { params: { id } }),
    onSuccess: () => {
      toast({ title: t('playbooks.restore.done') });
      return refresh();
    },
    onError: (error) => toastFailure(error, serverMessage(error, t('playbooks.restore.failed'))),
  });
}

/**
 * Refetches the lists, but not the playbook that is open in a form: that would replace it during
 * the edit.
 */
function useRefreshPlaybooks() {
  const queryClient = useQueryClient();
  const list = keyOf('/api/playbooks');
  return () =>
    queryClient.invalidateQueries({
      queryKey: list,
      predicate: ({ queryKey }) =>
        queryKey.length === list.length ||
        typeof queryKey[list.length] !== 'string' ||
        queryKey[list.length] === 'pages',
    });
}

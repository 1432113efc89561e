import { type QueryClient, useQuery } from '@tanstack/react-query';
import type { SentBodyOf, SentQueryOf } from '#domain/contract.ts';
import type { PlaybookId } from '#domain/ids.ts';
import {
  archivePlaybook,
  createPlaybook,
  listPlaybooks,
  type Playbook,
  readPlaybook,
  readPlaybookUse,
  restorePlaybook,
  updatePlaybook,
} from '#domain/playbooks/contract.ts';
import { request } from '#web/platform/api.ts';
import { eachPage, usePagesOf } from '#web/platform/pages-of.ts';
import { keyOf, reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';

const mostChoices = 200;

/** The newest 200 active playbooks. Other people create some, too. */
export const useAllPlaybooks = () => {
  const newest = { query: { limit: mostChoices } };
  return useQuery({
    queryKey: reading(listPlaybooks, newest).queryKey,
    queryFn: async ({ signal }) => {
      const all: Playbook[] = [];
      for await (const page of eachPage(listPlaybooks, newest, signal)) {
        all.push(...page);
        if (all.length >= mostChoices) break;
      }
      return all.slice(0, mostChoices);
    },
    staleTime: 0,
  });
};

export const usePlaybookPages = (query: SentQueryOf<typeof listPlaybooks>) =>
  usePagesOf(listPlaybooks, { query });

/** Always fetched: an edit starts from the newest version. */
export const usePlaybook = (id: PlaybookId) =>
  useQuery({ ...reading(readPlaybook, { params: { id } }), gcTime: 0 });

export const usePlaybookUse = (id: PlaybookId) =>
  useQuery({ ...reading(readPlaybookUse, { params: { id } }), staleTime: 0 });

export const useCreatePlaybook = () =>
  useApiMutation((body: SentBodyOf<typeof createPlaybook>) => request(createPlaybook, { body }), {
    done: { title: t('playbooks.createdToast') },
    failed: { text: t('playbooks.createFailed') },
    refresh: refreshLists,
    refreshMode: 'background',
  });

export const useUpdatePlaybook = () =>
  useApiMutation(
    ({ id, ...body }: SentBodyOf<typeof updatePlaybook> & { id: PlaybookId }) =>
      request(updatePlaybook, { params: { id }, body }),
    {
      done: { title: t('playbooks.edit.done') },
      failed: { text: t('playbooks.edit.failed') },
      refresh: refreshLists,
      refreshMode: 'background',
    },
  );

export const useArchivePlaybook = () =>
  useApiMutation(({ id }: Pick<Playbook, 'id'>) => request(archivePlaybook, { params: { id } }), {
    done: { title: t('playbooks.archive.done'), description: t('playbooks.archive.doneText') },
    failed: t('playbooks.archive.failed'),
    refresh: refreshLists,
  });

export const useRestorePlaybook = () =>
  useApiMutation(({ id }: Pick<Playbook, 'id'>) => request(restorePlaybook, { params: { id } }), {
    done: { title: t('playbooks.restore.done') },
    failed: t('playbooks.restore.failed'),
    refresh: refreshLists,
  });

/** The lists, and not the playbook that a form holds, which would change under what is typed. */
function refreshLists(queryClient: QueryClient): Promise<void> {
  const list = keyOf('/api/playbooks');
  return queryClient.invalidateQueries({
    queryKey: list,
    predicate: ({ queryKey }) =>
      queryKey.length === list.length ||
      typeof queryKey[list.length] !== 'string' ||
      queryKey[list.length] === 'pages',
  });
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SentBodyOf } from '#domain/contract.ts';
import { createPlaybook, listPlaybooks } from '#domain/playbooks/contract.ts';
import { call } from '#web/platform/api.ts';
import { keyOf, reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { toastFailure } from '#web/platform/toast-failure.ts';
import { toast } from '#web/ui/toast-store.ts';

export const usePlaybooks = () => useQuery(reading(listPlaybooks, {}));

export function useCreatePlaybook() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: SentBodyOf<typeof createPlaybook>) => call(createPlaybook, { body }),
    onSuccess: () => {
      toast({ title: t('playbooks.createdToast') });
      return queryClient.invalidateQueries({ queryKey: keyOf('/api/playbooks') });
    },
    onError: (error) => toastFailure(error, t('playbooks.createFailed')),
  });
}

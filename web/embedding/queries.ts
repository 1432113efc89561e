import '#web/platform/security-texts.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SentBodyOf } from '#domain/contract.ts';
import { readEmbedding, updateEmbedding } from '#domain/embedding/contract.ts';
import { request } from '#web/platform/api.ts';
import { reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { serverMessage, toastFailure } from '#web/platform/toast-failure.ts';
import { toast } from '#web/ui/toast-store.ts';

const embedding = reading(readEmbedding, {});
export const useEmbedding = () => useQuery({ ...embedding, staleTime: 0 });

export function useUpdateEmbedding() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: SentBodyOf<typeof updateEmbedding>) => request(updateEmbedding, { body }),
    onSuccess: (saved) => {
      queryClient.setQueryData(embedding.queryKey, saved);
      toast({ title: t('security.embedding.saved') });
    },
    onError: (error) => toastFailure(error, serverMessage(error, t('security.embedding.failed'))),
  });
}

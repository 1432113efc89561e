import '#web/platform/embedding-texts.ts';
import { useQuery } from '@tanstack/react-query';
import type { SentBodyOf } from '#domain/contract.ts';
import { readEmbedding, updateEmbedding } from '#domain/embedding/contract.ts';
import { request } from '#web/platform/api.ts';
import { reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';

const embedding = reading(readEmbedding, {});
export const useEmbedding = () => useQuery({ ...embedding, staleTime: 0 });

export const useUpdateEmbedding = () =>
  useApiMutation((body: SentBodyOf<typeof updateEmbedding>) => request(updateEmbedding, { body }), {
    done: { title: t('embedding.saved') },
    failed: t('embedding.failed'),
    stores: embedding.queryKey,
  });

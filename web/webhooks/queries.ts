import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { BodyOf, SentBodyOf } from '#domain/contract.ts';
import {
  createWebhook,
  deleteWebhook,
  listWebhookDeliveries,
  listWebhooks,
  readWebhookDelivery,
  replayWebhookDelivery,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
  type Webhook,
  type WebhookDelivery,
} from '#domain/webhooks/contract.ts';
import { request } from '#web/platform/api.ts';
import { usePagesOf } from '#web/platform/pages-of.ts';
import { keyOf, reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';

const list = '/api/webhooks';
/** A waiting delivery is looked at again after so long. */
const lookAgainMs = 2000;

export const useWebhooks = () => useQuery({ ...reading(listWebhooks, {}), staleTime: 0 });

export const useDeliveries = ({ id }: Pick<Webhook, 'id'>) =>
  usePagesOf(listWebhookDeliveries, { params: { id } });

export const useDelivery = ({ id }: Pick<WebhookDelivery, 'id'>) =>
  useQuery({
    ...reading(readWebhookDelivery, { params: { id } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === 'waiting' ? lookAgainMs : false),
  });

/** Returns a function that reads the webhooks and their deliveries again. */
export function useRefreshWebhooks() {
  const queryClient = useQueryClient();
  return () => void queryClient.invalidateQueries({ queryKey: keyOf(list) });
}

export const useCreateWebhook = () =>
  useApiMutation((body: SentBodyOf<typeof createWebhook>) => request(createWebhook, { body }), {
    failed: { title: t('webhooks.form.failed') },
    refresh: list,
    refreshMode: 'background',
  });

export const useSaveWebhook = ({ id }: Webhook) =>
  useApiMutation(
    (body: SentBodyOf<typeof updateWebhook>) => request(updateWebhook, { params: { id }, body }),
    {
      done: { title: t('webhooks.form.saved') },
      failed: { title: t('webhooks.form.failed') },
      refresh: list,
      refreshMode: 'background',
    },
  );

export const useEnableWebhook = ({ id }: Webhook) =>
  useApiMutation(
    (isEnabled: NonNullable<BodyOf<typeof updateWebhook>['isEnabled']>) =>
      request(updateWebhook, { params: { id }, body: { isEnabled } }),
    { failed: t('webhooks.failed'), refresh: list, refreshMode: 'always' },
  );

export const useRemoveWebhook = ({ id }: Webhook) =>
  useApiMutation(() => request(deleteWebhook, { params: { id } }), {
    done: { title: t('webhooks.removed') },
    failed: t('webhooks.failed'),
    refresh: list,
    refreshMode: 'always',
  });

export const useRotateSecret = ({ id }: Webhook) =>
  useApiMutation(() => request(rotateWebhookSecret, { params: { id } }), {
    failed: t('webhooks.failed'),
    refresh: list,
    refreshMode: 'background',
  });

export const useTestWebhook = ({ id }: Webhook) =>
  useApiMutation(() => request(testWebhook, { params: { id } }), {
    failed: t('webhooks.failed'),
    refresh: list,
  });

export const useReplay = ({ id }: Pick<WebhookDelivery, 'id'>) =>
  useApiMutation(() => request(replayWebhookDelivery, { params: { id } }), {
    done: { title: t('webhooks.delivery.replayed') },
    failed: { title: t('webhooks.delivery.replayFailed') },
    refresh: async (queryClient) => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: keyOf(list) }),
        queryClient.invalidateQueries({ queryKey: keyOf('/api/webhook-deliveries') }),
      ]);
    },
  });

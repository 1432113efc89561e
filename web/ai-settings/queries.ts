import '#web/platform/player-texts.ts';
import { useQuery } from '@tanstack/react-query';
import {
  readAiSettings,
  type UpdateAiSettingsBody,
  updateAiSettings,
} from '#domain/ai-settings/contract.ts';
import { request } from '#web/platform/api.ts';
import { keyOf, reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';

export const useAiSettings = () => useQuery({ ...reading(readAiSettings, {}), staleTime: 0 });

export const useUpdateAiSettings = () =>
  useApiMutation((body: UpdateAiSettingsBody) => request(updateAiSettings, { body }), {
    done: { title: t('assistant.settings.saved') },
    failed: t('assistant.settings.failed'),
    stores: keyOf('/api/ai/settings'),
  });

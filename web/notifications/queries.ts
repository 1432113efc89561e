import '#web/platform/webhook-texts.ts';
import { useQuery } from '@tanstack/react-query';
import {
  makeCalendarFeed,
  readCalendarFeed,
  removeCalendarFeed,
} from '#domain/calendar/contract.ts';
import type { SentBodyOf } from '#domain/contract.ts';
import {
  changeOwnRecaps,
  changeRecapSettings,
  readRecapSettings,
} from '#domain/recaps/contract.ts';
import {
  addSlackChannel,
  listSlackChannels,
  removeSlackChannel,
  type SlackChannel,
  testSlackChannel,
  updateSlackChannel,
} from '#domain/slack/contract.ts';
import { useUser } from '#web/auth/auth-provider.tsx';
import { request } from '#web/platform/api.ts';
import { reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';

const recaps = reading(readRecapSettings, {});
const channels = '/api/slack-channels';

/** Without an organization there is nothing to ask for. */
const useIsMember = () => useUser().orgId !== null;

export const useRecapSettings = () => useQuery({ ...recaps, staleTime: 0, enabled: useIsMember() });

export const useChangeRecaps = () =>
  useApiMutation(
    (body: SentBodyOf<typeof changeRecapSettings>) => request(changeRecapSettings, { body }),
    {
      done: { title: t('notifications.recaps.saved') },
      failed: t('notifications.recaps.failed'),
      stores: recaps.queryKey,
    },
  );

export const useChangeOwnRecaps = () =>
  useApiMutation((body: SentBodyOf<typeof changeOwnRecaps>) => request(changeOwnRecaps, { body }), {
    failed: t('notifications.recaps.ownFailed'),
    stores: recaps.queryKey,
  });

export const useSlackChannels = () => useQuery({ ...reading(listSlackChannels, {}), staleTime: 0 });

export const useAddSlackChannel = () =>
  useApiMutation((body: SentBodyOf<typeof addSlackChannel>) => request(addSlackChannel, { body }), {
    done: { title: t('notifications.slack.form.saved') },
    failed: { title: t('notifications.slack.form.saveFailed') },
    refresh: channels,
    refreshMode: 'background',
  });

export const useSaveSlackChannel = ({ id }: SlackChannel) =>
  useApiMutation(
    (body: SentBodyOf<typeof updateSlackChannel>) =>
      request(updateSlackChannel, { params: { id }, body }),
    {
      done: { title: t('notifications.slack.form.saved') },
      failed: { title: t('notifications.slack.form.saveFailed') },
      refresh: channels,
      refreshMode: 'background',
    },
  );

export const useEnableSlackChannel = ({ id }: SlackChannel) =>
  useApiMutation(
    (isEnabled: boolean) => request(updateSlackChannel, { params: { id }, body: { isEnabled } }),
    { failed: t('notifications.slack.failed'), refresh: channels, refreshMode: 'always' },
  );

export const useRemoveSlackChannel = ({ id }: SlackChannel) =>
  useApiMutation(() => request(removeSlackChannel, { params: { id } }), {
    done: { title: t('notifications.slack.removed') },
    failed: t('notifications.slack.failed'),
    refresh: channels,
    refreshMode: 'always',
  });

export const useTestSlackChannel = ({ id }: SlackChannel) =>
  useApiMutation(() => request(testSlackChannel, { params: { id } }), {
    done: { title: t('notifications.slack.tested') },
    failed: t('notifications.slack.failed'),
    refresh: '/api/webhooks',
  });

export const useCalendarFeed = () =>
  useQuery({ ...reading(readCalendarFeed, {}), staleTime: 0, enabled: useIsMember() });

export const useMakeCalendarFeed = () =>
  useApiMutation(() => request(makeCalendarFeed, {}), {
    failed: t('notifications.calendar.failed'),
    refresh: '/api/calendar-feed',
  });

export const useRemoveCalendarFeed = () =>
  useApiMutation(() => request(removeCalendarFeed, {}), {
    done: { title: t('notifications.calendar.ended') },
    failed: t('notifications.calendar.failed'),
    refresh: '/api/calendar-feed',
  });

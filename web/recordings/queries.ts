import type { CallId, ParticipantId } from '#domain/ids.ts';
import {
  deleteRecording,
  liftLegalHold,
  placeLegalHold,
  removeFromRecording,
  retryRecording,
} from '#domain/recordings/contract.ts';
import { request } from '#web/platform/api.ts';
import '#web/platform/player-texts.ts';
import { t } from '#web/platform/texts.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';

const ofCall = (id: CallId) => `/api/calls/${id}` as const;

export const useRetryRecording = (id: CallId) =>
  useApiMutation(() => request(retryRecording, { params: { id } }), {
    failed: t('player.manage.failed'),
    refresh: ofCall(id),
  });

export const useDeleteRecording = (id: CallId) =>
  useApiMutation(() => request(deleteRecording, { params: { id } }), {
    done: { title: t('player.manage.deleted') },
    failed: t('player.manage.failed'),
    refresh: ofCall(id),
    refreshMode: 'always',
  });

export const useRemoveFromRecording = (id: CallId) =>
  useApiMutation(
    (participantId: ParticipantId) =>
      request(removeFromRecording, { params: { id, participantId } }),
    {
      done: { title: t('player.manage.removed') },
      failed: t('player.manage.failed'),
      refresh: ofCall(id),
      refreshMode: 'always',
    },
  );

export const usePlaceLegalHold = (id: CallId) =>
  useApiMutation(
    (reason: string) => request(placeLegalHold, { params: { id }, body: { reason } }),
    {
      done: { title: t('player.manage.held') },
      failed: t('player.manage.failed'),
      refresh: ofCall(id),
    },
  );

export const useLiftLegalHold = (id: CallId) =>
  useApiMutation(() => request(liftLegalHold, { params: { id } }), {
    done: { title: t('player.manage.lifted') },
    failed: t('player.manage.failed'),
    refresh: ofCall(id),
    refreshMode: 'always',
  });

import { useQuery } from '@tanstack/react-query';
import { type CaptureKind, capturableKinds } from '#domain/consent/capture.ts';
import {
  changeOrganizationCapture,
  changeRoomCapture,
  readOrganizationCapture,
  readRoomCapture,
} from '#domain/consent/contract.ts';
import type { SentBodyOf } from '#domain/contract.ts';
import type { RoomId } from '#domain/ids.ts';
import { readSpeechService } from '#domain/transcripts/contract.ts';
import { request } from '#web/platform/api.ts';
import { keyOf, reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { useApiMutation } from '#web/platform/use-api-mutation.ts';

const speechService = reading(readSpeechService, {});

const ofOrganization = reading(readOrganizationCapture, {});
export const useOrganizationCapture = () => useQuery(ofOrganization);

/** Whether a speech service is set up; undefined while that is not known. */
export const useHasSpeechService = () => {
  const { data } = useQuery(speechService);
  return data && data.service !== null;
};

export function useCapturableKinds(): readonly CaptureKind[] {
  const hasService = useHasSpeechService();
  const { data } = useOrganizationCapture();
  return capturableKinds(hasService || data?.browserRecognition === true);
}

const ofRoom = (id: RoomId) => reading(readRoomCapture, { params: { id } });
export const useRoomCapture = (id: RoomId) => useQuery({ ...ofRoom(id), staleTime: 0 });

export const useChangeOrganizationCapture = () =>
  useApiMutation(
    (body: SentBodyOf<typeof changeOrganizationCapture>) =>
      request(changeOrganizationCapture, { body }),
    {
      done: { title: t('capture.saved') },
      failed: t('capture.failed'),
      stores: ofOrganization.queryKey,
      refresh: (queryClient) =>
        queryClient.invalidateQueries({ queryKey: keyOf('/api/rooms'), refetchType: 'none' }),
    },
  );

export const useChangeRoomCapture = (id: RoomId) =>
  useApiMutation(
    (body: SentBodyOf<typeof changeRoomCapture>) =>
      request(changeRoomCapture, { params: { id }, body }),
    {
      done: { title: t('capture.saved') },
      failed: t('capture.failed'),
      stores: ofRoom(id).queryKey,
    },
  );

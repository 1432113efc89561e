import '#web/platform/profile-texts.ts';
import { useQueryClient } from '@tanstack/react-query';
import type { SignedInUser } from '#domain/auth/contract.ts';
import {
  portraitMostBytes,
  portraitTypes,
  removePortrait,
  uploadPortrait,
} from '#domain/profile/contract.ts';
import { currentUserQuery } from '#web/auth/queries.ts';
import { request } from '#web/platform/api.ts';
import { keyOf } from '#web/platform/query-client.ts';
import { sendFile } from '#web/platform/send-file.ts';
import { t } from '#web/platform/texts.ts';
import { usePicture } from '#web/platform/use-picture.ts';

/** The person's own picture. */
export function usePortrait() {
  const queryClient = useQueryClient();
  return usePicture({
    types: portraitTypes,
    mostBytes: portraitMostBytes,
    texts: {
      wrongType: t('profile.portrait.wrongType'),
      tooLarge: t('profile.portrait.tooLarge'),
      saved: t('profile.portrait.saved'),
      removed: t('profile.portrait.removed'),
      failed: t('profile.portrait.failed'),
    },
    send: (file, onProgress) => sendFile(uploadPortrait, { file }, onProgress),
    remove: () => request(removePortrait, {}),
    onSaved: (user: SignedInUser) => {
      queryClient.setQueryData(currentUserQuery.queryKey, user);
      return queryClient.invalidateQueries({ queryKey: keyOf('/api/users') });
    },
  });
}

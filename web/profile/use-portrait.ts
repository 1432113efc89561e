import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
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
import { serverMessage } from '#web/platform/toast-failure.ts';
import { toast } from '#web/ui/toast-store.ts';

/** Sets and removes the person's own picture. `problem` is a sentence about the last failure. */
export function usePortrait() {
  const queryClient = useQueryClient();
  const [problem, setProblem] = useState<string | null>(null);
  const show = (user: SignedInUser, title: string) => {
    queryClient.setQueryData(currentUserQuery.queryKey, user);
    toast({ title });
    return queryClient.invalidateQueries({ queryKey: keyOf('/api/users') });
  };
  const onError = (error: unknown) =>
    setProblem(serverMessage(error, t('profile.portrait.failed')));

  const sending = useMutation({
    mutationFn: (file: File) => sendFile(uploadPortrait, { file }, () => {}),
    onSuccess: (user) => show(user, t('profile.portrait.saved')),
    onError,
  });
  const removing = useMutation({
    mutationFn: () => request(removePortrait, {}),
    onMutate: () => setProblem(null),
    onSuccess: (user) => show(user, t('profile.portrait.removed')),
    onError,
  });
  return {
    problem,
    isSending: sending.isPending,
    isBusy: sending.isPending || removing.isPending,
    send: (file: File | undefined) => {
      if (!file || sending.isPending) return;
      const refusal = refusalOf(file);
      setProblem(refusal);
      if (refusal === null) sending.mutate(file);
    },
    remove: () => removing.mutate(),
  };
}

/** Returns the server's refusal in advance, without sending it 20 MB. */
function refusalOf({ type, size }: File): string | null {
  const known: readonly string[] = portraitTypes;
  if (!known.includes(type)) return t('profile.portrait.wrongType');
  return size > portraitMostBytes ? t('profile.portrait.tooLarge') : null;
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { OrgId } from '#domain/ids.ts';
import { type Organization, removeLogo, uploadLogo } from '#domain/organizations/contract.ts';
import { logoMostBytes, logoTypes } from '#domain/organizations/logo.ts';
import { organizationQuery } from '#web/organizations/queries.ts';
import { request } from '#web/platform/api.ts';
import { sendFile } from '#web/platform/send-file.ts';
import { t } from '#web/platform/texts.ts';
import { serverMessage } from '#web/platform/toast-failure.ts';
import { toast } from '#web/ui/toast-store.ts';

/** A running upload: the share that was sent, from 0 to 1, and the URL of a preview. */
export interface Upload {
  share: number;
  previewUrl: string;
}

/** Sets and removes the logo. `problem` is a sentence about the last failure. */
export function useLogo(orgId: OrgId) {
  const queryClient = useQueryClient();
  const [upload, setUpload] = useState<Upload | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const show = (saved: Organization, title: string) => {
    queryClient.setQueryData(organizationQuery(orgId).queryKey, saved);
    toast({ title });
  };
  const onError = (error: unknown) => setProblem(serverMessage(error, messageOf(error)));

  const sending = useMutation({
    mutationFn: (file: File) =>
      sendFile(uploadLogo, { params: { orgId }, file }, (share) =>
        setUpload((before) => before && { ...before, share }),
      ),
    onMutate: (file) => setUpload({ share: 0, previewUrl: URL.createObjectURL(file) }),
    onSuccess: (saved) => show(saved, t('settings.logo.saved')),
    onError,
    onSettled: () =>
      setUpload((before) => {
        if (before) URL.revokeObjectURL(before.previewUrl);
        return null;
      }),
  });
  const removing = useMutation({
    mutationFn: () => request(removeLogo, { params: { orgId } }),
    onMutate: () => setProblem(null),
    onSuccess: (saved) => show(saved, t('settings.logo.removed')),
    onError,
  });

  return {
    upload,
    problem,
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
  const known: readonly string[] = logoTypes;
  if (!known.includes(type)) return t('settings.logo.wrongType');
  return size > logoMostBytes ? t('settings.logo.tooLarge') : null;
}

const messageOf = (error: unknown) =>
  error instanceof Error ? error.message : t('settings.logo.failed');

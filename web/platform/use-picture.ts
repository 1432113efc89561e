import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { serverMessage } from '#web/platform/toast-failure.ts';
import { toast } from '#web/ui/toast-store.ts';

/** A running upload: the share that was sent, from 0 to 1, and the URL of a preview. */
export interface Upload {
  share: number;
  previewUrl: string;
}

interface PictureOptions<Saved> {
  types: readonly string[];
  mostBytes: number;
  texts: {
    wrongType: string;
    tooLarge: string;
    saved: string;
    removed: string;
    /** Where the server says nothing about a failure. */
    failed: string | ((error: unknown) => string);
  };
  /** @param onProgress receives the share that was sent, from 0 to 1 */
  send: (file: File, onProgress: (share: number) => void) => Promise<Saved>;
  remove: () => Promise<Saved>;
  /** Shows what the server has stored. */
  onSaved: (saved: Saved) => unknown;
}

/** Sets and removes a picture. `problem` is a sentence about the last failure. */
export function usePicture<Saved>({
  types,
  mostBytes,
  texts,
  send,
  remove,
  onSaved,
}: PictureOptions<Saved>) {
  const [upload, setUpload] = useState<Upload | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const show = (saved: Saved, title: string) => {
    const shown = onSaved(saved);
    toast({ title });
    return shown;
  };
  const onError = (error: unknown) => {
    const { failed } = texts;
    setProblem(serverMessage(error, typeof failed === 'string' ? failed : failed(error)));
  };

  const sending = useMutation({
    mutationFn: (file: File) =>
      send(file, (share) => setUpload((before) => before && { ...before, share })),
    onMutate: (file) => setUpload({ share: 0, previewUrl: URL.createObjectURL(file) }),
    onSuccess: (saved) => show(saved, texts.saved),
    onError,
    onSettled: () =>
      setUpload((before) => {
        if (before) URL.revokeObjectURL(before.previewUrl);
        return null;
      }),
  });
  const removing = useMutation({
    mutationFn: remove,
    onMutate: () => setProblem(null),
    onSuccess: (saved) => show(saved, texts.removed),
    onError,
  });

  /** Returns the server's refusal in advance, without sending it 20 MB. */
  const refusalOf = ({ type, size }: File): string | null => {
    if (!types.includes(type)) return texts.wrongType;
    return size > mostBytes ? texts.tooLarge : null;
  };
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

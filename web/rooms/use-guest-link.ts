import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { RoomId } from '#domain/ids.ts';
import { useRecordStep } from '#web/getting-started/queries.ts';
import { copyText } from '#web/platform/clipboard.ts';
import { t } from '#web/platform/texts.ts';
import { toastFailure } from '#web/platform/toast-failure.ts';
import { fetchGuestLink, makeNewGuestLink } from '#web/rooms/queries.ts';
import { toast } from '#web/ui/toast-store.ts';

/** Copies a link; if the browser does not allow that, returns it for copying by hand. */
async function copyLink(coming: Promise<string>): Promise<string | null> {
  return (await copyText(coming)) ? null : coming;
}

/** Copies and renews a room's guest link. `uncopied` is a link that could not be copied. */
export function useGuestLink(id: RoomId) {
  const [uncopied, setUncopied] = useState<string | null>(null);
  const { mutate: recordCopy } = useRecordStep('link_copied');
  const copy = useMutation({
    mutationFn: () => copyLink(fetchGuestLink(id)),
    onSuccess: (link) => {
      setUncopied(link);
      recordCopy();
      if (link === null)
        toast({
          title: t('rooms.guestLinkCopied.title'),
          description: t('rooms.guestLinkCopied.text'),
        });
    },
    onError: (error) => toastFailure(error, t('rooms.guestLinkFailed')),
  });
  const renew = useMutation({
    mutationFn: () => copyLink(makeNewGuestLink(id)),
    onSuccess: (link) => {
      setUncopied(link);
      if (link === null)
        toast({ title: t('rooms.renew.done'), description: t('rooms.renew.doneText') });
    },
    onError: (error) => toastFailure(error, t('rooms.renew.failed')),
  });
  return { copy, renew, uncopied, forget: () => setUncopied(null) };
}

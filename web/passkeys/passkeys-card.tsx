import { serverNow } from '#web/platform/clock.ts';
import '#web/platform/security-texts.ts';
import { Fingerprint, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Passkey } from '#domain/passkeys/contract.ts';
import { hasPasskeys } from '#web/passkeys/browser.ts';
import { useAddPasskey, usePasskeys, useRemovePasskey } from '#web/passkeys/queries.ts';
import { RenamePasskey } from '#web/passkeys/rename-passkey.tsx';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { timeAgo } from '#web/platform/time-ago.ts';
import { useConfirmed } from '#web/security/use-confirmed.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** The person's passkeys: adds, renames, and removes them. */
export function PasskeysCard() {
  const { data, error, refetch } = usePasskeys();
  const { mutateAsync, isPending } = useAddPasskey();
  const { run, dialog } = useConfirmed();
  return (
    <Card>
      <CardHeader
        title={t('security.passkeys.title')}
        action={
          hasPasskeys() && (
            <Button
              look="outline"
              size="small"
              disabled={isPending}
              onClick={() => run(() => mutateAsync(undefined))}
            >
              <Plus aria-hidden className="size-4" />
              {isPending ? t('security.passkeys.adding') : t('security.passkeys.add')}
            </Button>
          )
        }
      />
      <p className="px-5 pt-4 pb-3 text-sm text-muted-foreground">
        {t(hasPasskeys() ? 'security.passkeys.text' : 'security.passkeys.unsupported')}
      </p>
      {error && !data && <LoadFailed error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="m-5 h-10" />}
      {data?.length === 0 && (
        <p className="px-5 pb-5 text-sm font-medium">{t('security.passkeys.none')}</p>
      )}
      {data && data.length > 0 && (
        <ul className="divide-y border-t">
          {data.map((passkey) => (
            <PasskeyLine key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      {dialog}
    </Card>
  );
}

function PasskeyLine({ passkey }: { passkey: Passkey }) {
  const { name, createdAt, lastUsedAt } = passkey;
  const remove = useRemovePasskey();
  const { run, dialog } = useConfirmed();
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null);
  const ago = (at: string) => timeAgo(at, new Date(serverNow())) ?? t('rooms.justNow');
  return (
    <li className="flex items-center gap-3 px-5 py-3 text-sm">
      <Fingerprint aria-hidden className="size-4 shrink-0 text-muted-foreground" />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{name}</p>
        <p className="text-xs text-muted-foreground">
          {lastUsedAt
            ? t('security.passkeys.used', { time: ago(lastUsedAt) })
            : t('security.passkeys.unused', { time: ago(createdAt) })}
        </p>
      </div>
      <Button
        look="ghost"
        size="icon"
        aria-label={t('security.passkeys.rename', { name })}
        onClick={() => setOpen('rename')}
      >
        <Pencil aria-hidden className="size-4" />
      </Button>
      <Button
        look="ghost"
        size="icon"
        aria-label={t('security.passkeys.remove', { name })}
        onClick={() => setOpen('remove')}
      >
        <Trash2 aria-hidden className="size-4" />
      </Button>
      <RenamePasskey passkey={passkey} open={open === 'rename'} onClose={() => setOpen(null)} />
      <ConfirmDialog
        open={open === 'remove'}
        onOpenChange={(next) => next || setOpen(null)}
        title={t('security.passkeys.removeTitle')}
        text={t('security.passkeys.removeText')}
        cancelLabel={t('common.cancel')}
        confirmLabel={t('security.passkeys.removeConfirm')}
        onConfirm={() => {
          setOpen(null);
          run(() => remove.mutateAsync(passkey.id));
        }}
      />
      {dialog}
    </li>
  );
}

import type { User } from '#domain/auth/contract.ts';
import { t } from '#web/platform/texts.ts';
import { useRemoveMember } from '#web/team/queries.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';

/** Open while there is a `member` to remove. */
export function RemoveMemberDialog(props: { member: User | null; onClose: () => void }) {
  const { member, onClose } = props;
  const { mutate, isPending } = useRemoveMember();
  return (
    <ConfirmDialog
      open={member !== null}
      onOpenChange={(open) => open || onClose()}
      title={t('team.removal.title')}
      text={t('team.removal.text', { email: member?.email ?? '' })}
      cancelLabel={t('common.cancel')}
      confirmLabel={isPending ? t('team.removal.pending') : t('team.removal.confirm')}
      pending={isPending}
      onConfirm={() => member && mutate(member, { onSettled: onClose })}
    />
  );
}

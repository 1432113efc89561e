import type { Invitation, SentInvitation } from '#domain/team/contract.ts';
import { t } from '#web/platform/texts.ts';
import { useCancelInvitation, useResendInvitation } from '#web/team/queries.ts';
import { Button } from '#web/ui/button.tsx';

interface InvitationControlsProps {
  invitation: Invitation;
  /** Receives the new link. */
  onResent: (sent: SentInvitation) => void;
}

export function InvitationControls({ invitation, onResent }: InvitationControlsProps) {
  const resend = useResendInvitation();
  const cancel = useCancelInvitation();
  const isPending = resend.isPending || cancel.isPending;
  const { email } = invitation;
  return (
    <div className="flex items-center justify-end gap-1">
      <Button
        look="ghost"
        size="small"
        aria-label={t('team.pending.resendTo', { email })}
        disabled={isPending}
        onClick={() => resend.mutate(invitation, { onSuccess: onResent })}
      >
        {t('team.pending.resend')}
      </Button>
      <Button
        look="ghost"
        size="small"
        aria-label={t('team.pending.cancelOf', { email })}
        disabled={isPending}
        onClick={() => cancel.mutate(invitation)}
      >
        {t('team.pending.cancel')}
      </Button>
    </div>
  );
}

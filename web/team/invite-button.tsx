import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import type { SentInvitation } from '#domain/team/contract.ts';
import { t } from '#web/platform/texts.ts';
import { InvitationLink } from '#web/team/invitation-link.tsx';
import { InviteForm } from '#web/team/invite-form.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

/** Opens the dialog that invites somebody, and then shows their link. */
export function InviteButton() {
  const [open, setOpen] = useState(false);
  const [sent, setSent] = useState<SentInvitation | null>(null);
  const become = (next: boolean) => {
    setOpen(next);
    if (next) setSent(null);
  };
  return (
    <>
      <Button onClick={() => become(true)}>
        <UserPlus aria-hidden className="size-4" />
        {t('team.invite.open')}
      </Button>
      <Dialog
        open={open}
        onOpenChange={become}
        title={sent ? t('team.link.title') : t('team.invite.open')}
        {...(sent ? {} : { description: t('team.invite.text') })}
        closeLabel={t('common.close')}
        closesOutside={false}
      >
        {sent ? (
          <InvitationLink sent={sent} onDone={() => become(false)} />
        ) : (
          <InviteForm onCancel={() => become(false)} onSent={setSent} />
        )}
      </Dialog>
    </>
  );
}

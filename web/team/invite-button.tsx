import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import type { SentInvitation } from '#domain/team/contract.ts';
import { FormDialog } from '#web/platform/form-dialog.tsx';
import { t } from '#web/platform/texts.ts';
import { useAddressDialog } from '#web/platform/use-address-dialog.ts';
import { InvitationLink } from '#web/team/invitation-link.tsx';
import { InviteForm } from '#web/team/invite-form.tsx';
import { Button } from '#web/ui/button.tsx';

/** Opens the dialog that invites a person, and then shows their link. */
export function InviteButton() {
  const dialog = useAddressDialog('invite');
  const [sent, setSent] = useState<SentInvitation | null>(null);
  const close = () => {
    setSent(null);
    dialog.close();
  };
  return (
    <>
      <Button onClick={() => dialog.open()}>
        <UserPlus aria-hidden className="size-4" />
        {t('team.invite.open')}
      </Button>
      <FormDialog
        open={dialog.value !== null}
        onClose={close}
        title={sent ? t('team.link.title') : t('team.invite.open')}
        {...(sent ? {} : { description: t('team.invite.text') })}
      >
        {sent ? <InvitationLink sent={sent} onDone={close} /> : <InviteForm onSent={setSent} />}
      </FormDialog>
    </>
  );
}

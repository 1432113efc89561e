import type { z } from 'zod';
import { inviteBody, type SentInvitation } from '#domain/team/contract.ts';
import { formResolver } from '#web/platform/form-resolver.ts';
import { RestoredNote } from '#web/platform/restored-note.tsx';
import { SubmitFailure } from '#web/platform/submit-failure.tsx';
import { t } from '#web/platform/texts.ts';
import { useDraftForm } from '#web/platform/use-draft-form.ts';
import { useInvite } from '#web/team/queries.ts';
import { RoleSelect } from '#web/team/role-select.tsx';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';

const resolver = formResolver(inviteBody);
const empty: z.input<typeof inviteBody> = { email: '', role: 'AGENT' };

export function InviteForm({ onSent }: { onSent: (sent: SentInvitation) => void }) {
  const { mutateAsync, isPending } = useInvite();
  const { form, submit, failure, isRestored, startOver, close } = useDraftForm({
    draft: 'invitation:new',
    resolver,
    values: empty,
    send: (invitation) => mutateAsync(invitation),
    onSent,
  });
  const { register, formState, watch } = form;
  const { errors } = formState;
  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <RestoredNote shown={isRestored} startOver={startOver} />
      <Field label={t('team.invite.email')} error={errors.email?.message}>
        {(input) => (
          <input
            {...input}
            {...register('email')}
            type="email"
            autoComplete="off"
            placeholder={t('team.invite.emailExample')}
            className={inputClass}
          />
        )}
      </Field>
      <Field
        label={t('team.invite.role')}
        hint={t(`team.roleTexts.${watch('role')}`)}
        error={errors.role?.message}
      >
        {(input) => <RoleSelect {...input} {...register('role')} value={watch('role')} />}
      </Field>
      <SubmitFailure failure={failure} />
      <DialogActions>
        <Button look="outline" onClick={close}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" disabled={isPending}>
          {isPending ? t('team.invite.pending') : t('team.invite.submit')}
        </Button>
      </DialogActions>
    </form>
  );
}

import { useForm } from 'react-hook-form';
import { inviteBody, type SentInvitation } from '#domain/team/contract.ts';
import { formResolver } from '#web/platform/form-resolver.ts';
import { t } from '#web/platform/texts.ts';
import { useInvite } from '#web/team/queries.ts';
import { RoleSelect } from '#web/team/role-select.tsx';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';

interface InviteFormProps {
  onCancel: () => void;
  onSent: (sent: SentInvitation) => void;
}

export function InviteForm({ onCancel, onSent }: InviteFormProps) {
  const { mutate, isPending } = useInvite();
  const { register, handleSubmit, formState, watch } = useForm({
    resolver: formResolver(inviteBody),
    defaultValues: { email: '', role: 'AGENT' as const },
  });
  const { errors } = formState;
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={handleSubmit((invitation) => mutate(invitation, { onSuccess: onSent }))}
    >
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
        {(input) => <RoleSelect {...input} {...register('role')} />}
      </Field>
      <DialogActions>
        <Button look="outline" onClick={onCancel}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" disabled={isPending}>
          {isPending ? t('team.invite.pending') : t('team.invite.submit')}
        </Button>
      </DialogActions>
    </form>
  );
}

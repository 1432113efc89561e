import type { z } from 'zod';
import { inviteBody, type SentInvitation } from '#domain/team/contract.ts';
import { DraftForm } from '#web/platform/draft-form.tsx';
import { formResolver } from '#web/platform/form-resolver.ts';
import { t } from '#web/platform/texts.ts';
import { useDraftForm } from '#web/platform/use-draft-form.ts';
import { useInvite } from '#web/team/queries.ts';
import { RoleSelect } from '#web/team/role-select.tsx';
import { Field, inputClass } from '#web/ui/field.tsx';

const resolver = formResolver(inviteBody);
const empty: z.input<typeof inviteBody> = { email: '', role: 'AGENT' };

export function InviteForm({ onSent }: { onSent: (sent: SentInvitation) => void }) {
  const { mutateAsync, isPending } = useInvite();
  const draftForm = useDraftForm({
    draft: 'invitation:new',
    resolver,
    values: empty,
    send: (invitation) => mutateAsync(invitation),
    onSent,
  });
  const { register, formState, watch } = draftForm.form;
  const { errors } = formState;
  return (
    <DraftForm
      draft={draftForm}
      isPending={isPending}
      texts={{ submit: t('team.invite.submit'), pending: t('team.invite.pending') }}
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
        {(input) => <RoleSelect {...input} {...register('role')} value={watch('role')} />}
      </Field>
    </DraftForm>
  );
}

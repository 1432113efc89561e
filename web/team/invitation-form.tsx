import '#web/platform/invitation-texts.ts';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { acceptInvitationBody } from '#domain/team/contract.ts';
import { withEmail } from '#web/auth/known-email.ts';
import { signInToApp } from '#web/auth/next-path.ts';
import { PersonFields } from '#web/auth/person-fields.tsx';
import { formResolver } from '#web/platform/form-resolver.ts';
import { t } from '#web/platform/texts.ts';
import { saidByToast, useSubmitOnce } from '#web/platform/use-submit-once.ts';
import { useAcceptInvitation } from '#web/team/queries.ts';
import { Button } from '#web/ui/button.tsx';

/** Creates the account of a person who was invited by `email`. */
export function InvitationForm({ token, email }: { token: string; email: string }) {
  const navigate = useNavigate();
  const { mutateAsync, isPending } = useAcceptInvitation(token);
  const { register, handleSubmit, formState, watch } = useForm({
    resolver: formResolver(acceptInvitationBody),
    defaultValues: { email, firstName: '', lastName: '', password: '' },
  });
  const toSignIn = () => navigate(signInToApp, { replace: true, ...withEmail(email) });
  const submit = useSubmitOnce(
    handleSubmit((person) => mutateAsync(person).then(toSignIn, saidByToast)),
  );
  return (
    <form noValidate className="grid grid-cols-2 gap-4 *:col-span-2" onSubmit={submit}>
      <PersonFields
        names={['email', 'firstName', 'lastName']}
        labelOf={(name) => t(`invitation.fields.${name}`)}
        register={register}
        errors={formState.errors}
        password={watch('password')}
      />
      <Button type="submit" disabled={isPending} className="mt-1 w-full">
        {isPending ? t('invitation.pending') : t('invitation.submit')}
      </Button>
    </form>
  );
}

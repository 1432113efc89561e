import '#web/platform/invitation-texts.ts';
import { Link, useLocation, useNavigate } from 'react-router';
import type { OutputOf } from '#domain/contract.ts';
import type { readInvitation } from '#domain/team/contract.ts';
import { useAuth } from '#web/auth/auth-provider.tsx';
import { withEmail } from '#web/auth/known-email.ts';
import { signInPath, signInToApp } from '#web/auth/next-path.ts';
import { useLogout } from '#web/auth/queries.ts';
import { t } from '#web/platform/texts.ts';
import { useConfirmed } from '#web/security/use-confirmed.tsx';
import { useJoinByInvitation } from '#web/team/queries.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';

interface JoinByInvitationProps {
  token: string;
  invitation: OutputOf<typeof readInvitation>;
}

/** Accepts an invitation with an existing account: its owner signs in, and one button joins. */
export function JoinByInvitation({ token, invitation }: JoinByInvitationProps) {
  const auth = useAuth();
  const here = useLocation();
  const { email } = invitation;
  if (auth.status === 'loading') return <Spinner label={t('common.loading')} />;
  if (auth.status !== 'signed-in')
    return (
      <Link to={signInPath(here)} {...withEmail(email)} className={buttonClass()}>
        {t('invitation.join.signIn')}
      </Link>
    );
  if (auth.user.email !== email) return <OtherAccount own={auth.user.email} email={email} />;
  return <Join token={token} invitation={invitation} leaves={auth.user.orgId !== null} />;
}

function Join({ token, invitation, leaves }: JoinByInvitationProps & { leaves: boolean }) {
  const navigate = useNavigate();
  const { name } = invitation.organization;
  const { mutateAsync, isPending } = useJoinByInvitation(token, name);
  const { run, dialog } = useConfirmed();
  const join = () =>
    run(async () => {
      const { mustSignIn } = await mutateAsync({ leaveOrganization: leaves });
      const to = mustSignIn ? signInToApp : '/app';
      await navigate(to, { replace: true, ...withEmail(invitation.email) });
    });
  return (
    <div className="grid gap-4">
      <p className="text-sm">{t('invitation.join.text', { email: invitation.email })}</p>
      {leaves && <p className="text-sm">{t('invitation.join.leaveText')}</p>}
      <Button disabled={isPending} onClick={join} className="w-full">
        {isPending
          ? t('invitation.join.joining')
          : t(leaves ? 'invitation.join.leave' : 'invitation.join.join', { name })}
      </Button>
      {dialog}
    </div>
  );
}

function OtherAccount({ own, email }: { own: string; email: string }) {
  const { mutate, isPending } = useLogout(() => window.location.reload());
  return (
    <div className="grid gap-4">
      <p className="text-sm">{t('invitation.join.otherText', { own, email })}</p>
      <Button look="outline" disabled={isPending} onClick={() => mutate()}>
        {t('invitation.join.signOut')}
      </Button>
    </div>
  );
}

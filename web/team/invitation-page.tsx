import '#web/platform/invitation-texts.ts';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import type { OutputOf } from '#domain/contract.ts';
import { readInvitation } from '#domain/team/contract.ts';
import { useAuth } from '#web/auth/auth-provider.tsx';
import { signInToApp } from '#web/auth/next-path.ts';
import { PublicCard } from '#web/auth/public-card.tsx';
import { OrganizationMark } from '#web/organizations/organization-mark.tsx';
import { isRefusal } from '#web/platform/api.ts';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { InvitationForm } from '#web/team/invitation-form.tsx';
import { JoinByInvitation } from '#web/team/join-by-invitation.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';

export function InvitationPage() {
  const { token = '' } = useParams();
  const auth = useAuth();
  const { data, error, refetch } = useQuery(reading(readInvitation, { params: { token } }));
  if (isRefusal(error)) return <NoInvitation isOver={error.status === 410} />;
  if (error) return <LoadFailed error={error} onRetry={refetch} />;
  if (!data) return <Spinner label={t('common.loading')} />;
  return (
    <PublicCard title={t('invitation.title')} text={textFor(data, auth.status === 'signed-in')}>
      <p className="mb-5 flex items-center gap-3 rounded-md bg-muted px-3 py-2.5 text-sm">
        {data.organization.logoUrl && <OrganizationMark organization={data.organization} />}
        {t('invitation.from', { name: data.organization.name })}
      </p>
      {data.hasAccount ? (
        <JoinByInvitation token={token} invitation={data} />
      ) : (
        <InvitationForm token={token} email={data.email} />
      )}
    </PublicCard>
  );
}

function textFor({ email, hasAccount }: OutputOf<typeof readInvitation>, isSignedIn: boolean) {
  if (!hasAccount) return t('invitation.text');
  return isSignedIn ? t('invitation.join.oneStep') : t('invitation.join.signInText', { email });
}

/** A link that was used or canceled, has expired, or never existed. */
function NoInvitation({ isOver }: { isOver: boolean }) {
  return (
    <PublicCard
      title={t(isOver ? 'invitation.over' : 'invitation.unknown')}
      text={t(isOver ? 'invitation.overText' : 'invitation.unknownText')}
    >
      <Link to={signInToApp} className={buttonClass({ look: 'outline' })}>
        {t('invitation.toLogin')}
      </Link>
    </PublicCard>
  );
}

import '#web/platform/security-texts.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, Navigate, useLocation, useParams } from 'react-router';
import { readVerification, verifyEmail } from '#domain/auth/contract.ts';
import { useAuth } from '#web/auth/auth-provider.tsx';
import { withEmail } from '#web/auth/known-email.ts';
import { signInPath } from '#web/auth/next-path.ts';
import { PublicCard } from '#web/auth/public-card.tsx';
import { currentUserQuery } from '#web/auth/queries.ts';
import { request } from '#web/platform/api.ts';
import { reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { serverMessage } from '#web/platform/toast-failure.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { toast } from '#web/ui/toast-store.ts';

/**
 * The page of the mailed verification link. In a session of the account it confirms the address
 * without asking, and goes to the dashboard. Otherwise it asks: confirming without a session removes
 * the account's ways to sign in.
 */
export function VerifyEmailPage() {
  const { token = '' } = useParams();
  const auth = useAuth();
  const queryClient = useQueryClient();
  const link = useQuery(reading(readVerification, { params: { token } }));
  const { mutate, data, isSuccess, isPending, error } = useMutation({
    mutationFn: () => request(verifyEmail, { params: { token } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey }),
  });
  const isOwn = auth.status === 'signed-in' && auth.user.email === link.data?.email;
  const isFirst = link.data?.verified === false;
  useEffect(() => {
    if (isOwn && isFirst) mutate();
  }, [isOwn, isFirst, mutate]);

  const failure = link.error ?? error;
  if (failure)
    return (
      <Outcome title={t('security.verify.failed')} text={serverMessage(failure, failure.message)} />
    );
  if (data?.newPasswordUrl) return <NewPassword url={data.newPasswordUrl} />;
  if (isOwn && (isSuccess || link.data?.verified))
    return <ToApp title={t(isSuccess ? 'security.verify.done' : 'security.verify.already')} />;
  if (isSuccess)
    return <Outcome title={t('security.verify.done')} text={t('security.verify.doneText')} />;
  if (link.data?.verified)
    return <Outcome title={t('security.verify.already')} text={t('security.verify.doneText')} />;
  if (!link.data || isOwn || auth.status === 'loading')
    return <PublicCard title={t('security.verify.title')} text={t('security.verify.pending')} />;
  return <AskFirst email={link.data.email} isPending={isPending} onReplace={() => mutate()} />;
}

function ToApp({ title }: { title: string }) {
  useEffect(() => void toast({ title }), [title]);
  return <Navigate to="/app" replace />;
}

function Outcome({ title, text }: { title: string; text: string }) {
  return (
    <PublicCard title={title} text={text}>
      <Link to="/app" className={buttonClass()}>
        {t('security.verify.go')}
      </Link>
    </PublicCard>
  );
}

function NewPassword({ url }: { url: string }) {
  return (
    <PublicCard title={t('security.verify.done')} text={t('security.verify.removedText')}>
      <Link to={new URL(url).pathname} className={buttonClass()}>
        {t('security.verify.choose')}
      </Link>
    </PublicCard>
  );
}

interface AskFirstProps {
  email: string;
  isPending: boolean;
  onReplace: () => void;
}

function AskFirst({ email, isPending, onReplace }: AskFirstProps) {
  const here = useLocation();
  return (
    <PublicCard
      title={t('security.verify.title')}
      text={t('security.verify.signInText', { email })}
    >
      <div className="grid gap-4">
        <Link to={signInPath(here)} {...withEmail(email)} className={buttonClass()}>
          {t('security.verify.signIn')}
        </Link>
        <p className="text-sm text-muted-foreground">{t('security.verify.replaceText')}</p>
        <Button look="outline" disabled={isPending} onClick={onReplace}>
          {t('security.verify.replace')}
        </Button>
      </div>
    </PublicCard>
  );
}

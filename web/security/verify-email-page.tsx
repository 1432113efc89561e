import '#web/platform/security-texts.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useParams } from 'react-router';
import { verifyEmail } from '#domain/auth/contract.ts';
import { PublicCard } from '#web/auth/public-card.tsx';
import { currentUserQuery } from '#web/auth/queries.ts';
import { call } from '#web/platform/api.ts';
import { t } from '#web/platform/texts.ts';
import { serverMessage } from '#web/platform/toast-failure.ts';
import { buttonClass } from '#web/ui/button.tsx';

/** Where the mailed link leads: it is followed at once, and again makes no difference. */
export function VerifyEmailPage() {
  const { token = '' } = useParams();
  const queryClient = useQueryClient();
  const { mutate, isSuccess, error } = useMutation({
    mutationFn: (given: string) => call(verifyEmail, { params: { token: given } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: currentUserQuery.queryKey }),
  });
  useEffect(() => mutate(token), [mutate, token]);
  const [title, text] = isSuccess
    ? [t('security.verify.done'), t('security.verify.doneText')]
    : error
      ? [t('security.verify.failed'), serverMessage(error, error.message)]
      : [t('security.verify.title'), t('security.verify.pending')];
  return (
    <PublicCard title={title} text={text}>
      {(isSuccess || error) && (
        <Link to="/app" className={buttonClass()}>
          {t('security.verify.go')}
        </Link>
      )}
    </PublicCard>
  );
}

import { useState } from 'react';
import type { ApiToken } from '#domain/api/contract.ts';
import { type TokensOf, useRevokeApiToken } from '#web/api/queries.ts';
import { t } from '#web/platform/texts.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';

export function RevokeToken({ of, token }: { of: TokensOf; token: ApiToken }) {
  const [isAsking, setIsAsking] = useState(false);
  const { mutate, isPending } = useRevokeApiToken(of);
  const { name } = token;
  return (
    <>
      <Button
        look="ghost"
        size="small"
        aria-label={t('api.revoke.of', { name })}
        onClick={() => setIsAsking(true)}
      >
        {t('api.revoke.open')}
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t('api.revoke.title', { name })}
        text={t('api.revoke.text')}
        cancelLabel={t('common.cancel')}
        confirmLabel={t('api.revoke.open')}
        pending={isPending}
        onConfirm={() => mutate(token, { onSettled: () => setIsAsking(false) })}
      />
    </>
  );
}

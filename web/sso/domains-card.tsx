import { Globe, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { SsoConnection, SsoDomain } from '#domain/sso/contract.ts';
import { t } from '#web/platform/texts.ts';
import { formatDateTime } from '#web/platform/time-ago.ts';
import { ClaimDomainForm } from '#web/sso/claim-domain-form.tsx';
import { CopyLine } from '#web/sso/copy-line.tsx';
import { DomainConnection } from '#web/sso/domain-connection.tsx';
import { useRemoveDomain, useVerifyDomain } from '#web/sso/queries.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

interface DomainsCardProps {
  domains: SsoDomain[];
  connections: SsoConnection[];
}

export function DomainsCard({ domains, connections }: DomainsCardProps) {
  const [leaving, setLeaving] = useState<SsoDomain | null>(null);
  const { mutate: remove, isPending } = useRemoveDomain();
  return (
    <Card>
      <CardHeader title={t('sso.domains.title')} />
      <p className="px-5 pt-4 text-sm text-muted-foreground">{t('sso.domains.text')}</p>
      {domains.length === 0 && (
        <EmptyState icon={Globe} title={t('sso.domains.none')} text={t('sso.domains.noneText')} />
      )}
      <ul className="divide-y">
        {domains.map((domain) => (
          <li key={domain.id} className="px-5 py-4">
            <Domain domain={domain} onRemove={() => setLeaving(domain)} />
            {domain.verifiedAt !== null && (
              <DomainConnection domain={domain} connections={connections} />
            )}
          </li>
        ))}
      </ul>
      <ClaimDomainForm />
      <ConfirmDialog
        open={leaving !== null}
        onOpenChange={(open) => open || setLeaving(null)}
        title={t('sso.domains.removeTitle', { domain: leaving?.domain ?? '' })}
        text={t('sso.domains.removeText')}
        cancelLabel={t('common.cancel')}
        confirmLabel={t('sso.remove')}
        pending={isPending}
        onConfirm={() => leaving && remove(leaving.id, { onSettled: () => setLeaving(null) })}
      />
    </Card>
  );
}

function Domain({ domain, onRemove }: { domain: SsoDomain; onRemove: () => void }) {
  const { mutate: check, isPending } = useVerifyDomain();
  const isVerified = domain.verifiedAt !== null;
  const { endsAt } = domain;
  const needsRecord = !isVerified || endsAt !== null;
  const named = { domain: domain.domain };
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <h3 className="min-w-0 flex-1 basis-48 text-sm font-medium break-words">{domain.domain}</h3>
        {isVerified && endsAt !== null ? (
          <Badge look="destructive">{t('sso.domains.missing')}</Badge>
        ) : (
          <Badge look={isVerified ? 'success' : 'outline'}>
            {isVerified ? t('sso.domains.verified') : t('sso.domains.pending')}
          </Badge>
        )}
        {needsRecord && (
          <Button
            look="outline"
            size="small"
            disabled={isPending}
            aria-label={t('sso.domains.checkOf', named)}
            onClick={() => check(domain.id)}
          >
            {isPending ? t('sso.domains.checking') : t('sso.domains.check')}
          </Button>
        )}
        <Button
          look="ghost"
          size="small"
          aria-label={t('sso.domains.removeOf', named)}
          onClick={onRemove}
        >
          <Trash2 aria-hidden className="size-4" />
        </Button>
      </div>
      {needsRecord && (
        <div className="mt-3 grid gap-3 rounded-lg bg-muted/60 p-4">
          <p className="text-sm">
            {endsAt === null
              ? t('sso.domains.record')
              : t('sso.domains.ending', { time: formatDateTime(endsAt) })}
          </p>
          <CopyLine
            label={t('sso.domains.recordName')}
            value={domain.recordName}
            copy={t('sso.domains.copyName')}
          />
          <CopyLine
            label={t('sso.domains.recordText')}
            value={domain.recordText}
            copy={t('sso.domains.copyText')}
          />
        </div>
      )}
    </>
  );
}

import { ssoConnectionId } from '#domain/ids.ts';
import type { SsoConnection, SsoDomain } from '#domain/sso/contract.ts';
import { t } from '#web/platform/texts.ts';
import { useAssignDomain } from '#web/sso/queries.ts';
import { Select } from '#web/ui/select.tsx';

interface DomainConnectionProps {
  domain: SsoDomain;
  connections: SsoConnection[];
}

/** Selects the connection by which a verified domain's addresses sign in. */
export function DomainConnection({ domain, connections }: DomainConnectionProps) {
  const { mutate: assign, isPending } = useAssignDomain(domain.id);
  return (
    <div className="mt-3 grid gap-2">
      <div className="flex flex-wrap items-center gap-3 text-sm">
        <span aria-hidden className="text-muted-foreground">
          {t('sso.domains.connection')}
        </span>
        <Select
          aria-label={t('sso.domains.connectionOf', { domain: domain.domain })}
          value={domain.connectionId ?? ''}
          disabled={isPending}
          onChange={({ target }) =>
            assign({ connectionId: ssoConnectionId.safeParse(target.value).data ?? null })
          }
        >
          <option value="">{t('sso.domains.noConnection')}</option>
          {connections.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </div>
      {domain.connectionId === null && (
        <p className="text-sm text-muted-foreground">{t('sso.domains.unassigned')}</p>
      )}
    </div>
  );
}

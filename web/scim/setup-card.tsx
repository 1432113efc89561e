import { useQuery } from '@tanstack/react-query';
import { type DefaultRole, defaultRoles } from '#domain/scim/roles.ts';
import { CopiedField } from '#web/platform/copied-field.tsx';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { scimSettingsQuery, useUpdateScimSettings } from '#web/scim/queries.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** The values to enter in the directory, and the roles that its people get. */
export function SetupCard() {
  return (
    <Card>
      <CardHeader title={t('scim.setup.title')} />
      <Setup />
    </Card>
  );
}

function Setup() {
  const { data, error, refetch } = useQuery(scimSettingsQuery);
  const update = useUpdateScimSettings();
  if (error && !data) return <LoadFailed error={error} onRetry={refetch} />;
  if (!data) return <Skeleton className="m-5 h-32" />;
  const role = update.isPending ? update.variables.defaultRole : data.defaultRole;
  const choose = (value: string) => {
    const defaultRole = defaultRoles.find((each): each is DefaultRole => each === value);
    if (defaultRole) update.mutate({ defaultRole });
  };
  return (
    <div className="grid gap-5 p-5">
      <CopiedField
        label={t('scim.setup.endpoint')}
        hint={t('scim.setup.endpointHint')}
        value={data.endpoint}
        texts={{ copy: t('scim.copy'), copied: t('scim.setup.copied') }}
      />
      <Field label={t('scim.setup.role')} hint={t('scim.setup.roleHint')}>
        {(input) => (
          <Select
            {...input}
            value={role}
            disabled={update.isPending}
            onChange={(event) => choose(event.target.value)}
          >
            {defaultRoles.map((each) => (
              <option key={each} value={each}>
                {t(`team.roles.${each}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </div>
  );
}

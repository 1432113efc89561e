import '#web/platform/webhook-texts.ts';
import { recapRecipients } from '#domain/recaps/contract.ts';
import { useChangeRecaps, useRecapSettings } from '#web/notifications/queries.ts';
import { LoadFailed } from '#web/platform/load-failed.tsx';
import { t } from '#web/platform/texts.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/select.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** Who gets recaps. The choice is saved immediately. */
export function RecapsCard() {
  const { data, error, refetch } = useRecapSettings();
  const { mutate, isPending } = useChangeRecaps();
  return (
    <Card>
      <CardHeader title={t('notifications.recaps.title')} />
      {error && !data ? (
        <LoadFailed error={error} onRetry={refetch} />
      ) : data ? (
        <div className="p-5">
          <Field label={t('notifications.recaps.label')} hint={t('notifications.recaps.hint')}>
            {(input) => (
              <Select
                {...input}
                value={data.recipients}
                disabled={isPending}
                onChange={({ target }) => {
                  const recipients = recapRecipients.find((name) => name === target.value);
                  if (recipients) mutate({ recipients });
                }}
              >
                {recapRecipients.map((name) => (
                  <option key={name} value={name}>
                    {t(`notifications.recaps.${name}`)}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
      ) : (
        <Skeleton className="m-5 h-16" />
      )}
    </Card>
  );
}

import type { Privacy } from '#domain/privacy/contract.ts';
import { type TextKey, t } from '#web/platform/texts.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';

const nameOf = (id: string) => {
  // The server may list a processor without a name in this page's texts; its id is shown then.
  const key = `privacy.processors.names.${id}`;
  const text = t(key as TextKey);
  return text === key ? id : text;
};

/** The processors of personal data, as this installation is configured. */
export function ProcessorsCard({ processors }: Pick<Privacy, 'processors'>) {
  const isOn = ({ host }: Privacy['processors'][number]) => host !== null;
  const sorted = [...processors].sort((a, b) => Number(isOn(b)) - Number(isOn(a)));
  return (
    <Card>
      <CardHeader title={t('privacy.processors.title')} />
      <div className="grid gap-4 p-5">
        <p className="text-sm text-muted-foreground">{t('privacy.processors.text')}</p>
        {!processors.some(isOn) && (
          <p className="text-sm font-medium">{t('privacy.processors.noneOn')}</p>
        )}
        <dl className="divide-y text-sm">
          {sorted.map(({ id, host }) => (
            <div key={id} className="flex flex-wrap justify-between gap-x-4 py-2">
              <dt>{nameOf(id)}</dt>
              <dd
                className={host === null ? 'text-muted-foreground' : 'font-mono text-xs leading-5'}
              >
                {host ?? t('privacy.processors.off')}
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </Card>
  );
}

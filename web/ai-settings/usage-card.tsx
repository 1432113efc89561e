import '#web/platform/player-texts.ts';
import type { AiSettings } from '#domain/ai-settings/contract.ts';
import { analyzerName } from '#web/ai/analyzer-text.ts';
import { formatNumber, t } from '#web/platform/texts.ts';
import { locale } from '#web/texts/language.ts';
import { Card, CardHeader } from '#web/ui/card.tsx';

/** What the models have used this month. */
export function UsageCard({ settings }: { settings: AiSettings }) {
  const { usage, isExhausted, currency } = settings;
  const isPriced = usage.some(({ cost }) => cost !== null);
  return (
    <Card className="min-w-0">
      <CardHeader title={t('assistant.settings.usage')} />
      <div className="grid gap-4 p-5">
        {isExhausted && (
          <p role="status" className="rounded-md bg-muted px-3 py-2.5 text-sm">
            {t('assistant.settings.exhausted')}
          </p>
        )}
        {usage.length === 0 ? (
          <p className="text-sm text-muted-foreground">{t('assistant.settings.noUsage')}</p>
        ) : (
          <ul className="grid gap-4">
            {usage.map((row) => (
              <li key={`${row.provider} ${row.model}`} className="grid gap-1.5 text-sm">
                <p className="font-medium wrap-anywhere">
                  {t('assistant.settings.choice', {
                    name: analyzerName(row.provider),
                    model: row.model,
                  })}
                </p>
                <dl className="grid grid-cols-2 gap-x-6 gap-y-2 sm:grid-cols-4">
                  <Figure name={t('assistant.settings.column.answers')} value={row.answers} />
                  <Figure name={t('assistant.settings.column.input')} value={row.inputTokens} />
                  <Figure name={t('assistant.settings.column.output')} value={row.outputTokens} />
                  {isPriced && row.cost !== null && (
                    <Figure
                      name={t('assistant.settings.column.cost')}
                      value={row.cost}
                      currency={currency}
                    />
                  )}
                </dl>
              </li>
            ))}
          </ul>
        )}
        <p className="text-xs text-muted-foreground">{t('assistant.settings.usageText')}</p>
      </div>
    </Card>
  );
}

function Figure({ name, value, currency }: { name: string; value: number; currency?: string }) {
  return (
    <div>
      <dt className="text-xs text-muted-foreground">{name}</dt>
      <dd className="tabular-nums">
        {currency ? formatMoney(value, currency) : formatNumber(value)}
      </dd>
    </div>
  );
}

const formatMoney = (value: number, currency: string): string =>
  new Intl.NumberFormat(locale, { style: 'currency', currency }).format(value);

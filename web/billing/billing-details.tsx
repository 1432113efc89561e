import '#web/platform/payment-texts.ts';
import { useQuery } from '@tanstack/react-query';
import { type Billing, type Invoice, readBillingDetails } from '#domain/billing/contract.ts';
import { BillingPeriod } from '#web/billing/billing-period.tsx';
import { formatDay, formatMoney } from '#web/billing/money.ts';
import { reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { FailedState } from '#web/ui/failed-state.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** What the card provider knows: the billing period, and the invoices. */
export function BillingDetails({
  subscription,
}: {
  subscription: NonNullable<Billing['subscription']>;
}) {
  const { data, error, refetch } = useQuery({ ...reading(readBillingDetails, {}), staleTime: 0 });
  if (error) {
    return (
      <FailedState
        title={t('payment.invoices.failed.title')}
        text={t('payment.invoices.failed.text')}
        retryLabel={t('common.tryAgain')}
        onRetry={() => void refetch()}
      />
    );
  }
  if (!data) return <Skeleton className="h-40" />;
  return (
    <>
      {subscription.status === 'active' && data.offers.length > 1 && (
        <BillingPeriod offers={data.offers} current={subscription.interval} />
      )}
      <Invoices invoices={data.invoices} />
    </>
  );
}

function Invoices({ invoices }: { invoices: readonly Invoice[] }) {
  return (
    <Card>
      <CardHeader title={t('payment.invoices.title')} />
      {invoices.length === 0 ? (
        <p className="p-5 text-sm text-muted-foreground">{t('payment.invoices.empty')}</p>
      ) : (
        <ul className="divide-y">
          {invoices.map((invoice) => (
            <li
              key={invoice.id}
              className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3 text-sm tabular-nums"
            >
              <span className="min-w-36 flex-1">{formatDay(invoice.createdAt)}</span>
              <span className="text-muted-foreground">{invoice.number}</span>
              <span className="font-medium">{formatMoney(invoice)}</span>
              <Badge look={invoice.status === 'paid' ? 'success' : 'secondary'}>
                {t(`payment.invoices.${invoice.status}`)}
              </Badge>
              <Page url={invoice.pageUrl} text={t('payment.invoices.view')} />
              <Page url={invoice.pdfUrl} text={t('payment.invoices.pdf')} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Page({ url, text }: { url: string | null; text: string }) {
  if (!url) return null;
  return (
    <a href={url} target="_blank" rel="noreferrer" className="underline underline-offset-4">
      {text}
    </a>
  );
}

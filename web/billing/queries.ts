import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { readBilling } from '#domain/billing/contract.ts';
import { reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { toastFailure } from '#web/platform/toast-failure.ts';

/** Fetched each time the page opens, since calls change it. A failure is shown as a toast. */
export function useBilling() {
  const query = useQuery({ ...reading(readBilling, {}), staleTime: 0 });
  const { error } = query;
  useEffect(() => {
    if (error) toastFailure(error, t('billing.failed.text'), t('billing.failed.title'));
  }, [error]);
  return query;
}

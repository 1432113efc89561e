import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { readBilling } from '#domain/billing/contract.ts';
import { reading } from '#web/platform/query-client.ts';
import { t } from '#web/platform/texts.ts';
import { toastFailure } from '#web/platform/toast-failure.ts';

/** Read anew each time the page is opened: calls are counted elsewhere. A failure is said as a toast. */
export function useBilling() {
  const query = useQuery({ ...reading(readBilling, {}), staleTime: 0 });
  const { error } = query;
  useEffect(() => {
    if (error) toastFailure(error, t('billing.failed.text'), t('billing.failed.title'));
  }, [error]);
  return query;
}

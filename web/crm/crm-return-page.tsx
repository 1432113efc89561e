import '#web/platform/crm-texts.ts';
import { useEffect, useRef } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { type CrmVendor, crmVendor, vendorNames } from '#domain/crm/mapping.ts';
import { useConnect } from '#web/crm/queries.ts';
import { NotFoundPage } from '#web/platform/not-found-page.tsx';
import { t } from '#web/platform/texts.ts';
import { Card } from '#web/ui/card.tsx';
import { toast } from '#web/ui/toast-store.ts';

/** Where a CRM redirects to after a person has allowed the access, or has not. Goes on to the settings. */
export function CrmReturnPage() {
  const vendor = crmVendor.safeParse(useParams().vendor);
  return vendor.success ? <Returned vendor={vendor.data} /> : <NotFoundPage />;
}

function Returned({ vendor }: { vendor: CrmVendor }) {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const { mutateAsync } = useConnect(vendor);
  const name = vendorNames[vendor];
  // A code works once, and effects may run twice.
  const isSent = useRef(false);
  useEffect(() => {
    if (isSent.current) return;
    isSent.current = true;
    const [code, state] = [query.get('code'), query.get('state')];
    const toSettings = () => void navigate('/app/settings', { replace: true });
    if (code && state) {
      // A failure is shown by the mutation.
      mutateAsync({ code, state }).then(toSettings, toSettings);
    } else {
      toast({
        title: t('crm.refused', { name }),
        // RFC 6749, 4.1.2.1. Other errors are about the app, not about what the person chose.
        description:
          query.get('error') === 'access_denied'
            ? t('crm.refusedText')
            : t('crm.refusedError', { name }),
        tone: 'destructive',
      });
      toSettings();
    }
  }, [query, navigate, mutateAsync, name]);
  return (
    <Card>
      <p role="status" className="p-5 text-sm">
        {t('crm.connecting', { name })}
      </p>
    </Card>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import { type SsoFlowId, ssoFlowId } from '#domain/ids.ts';
import type { SsoTestResult } from '#domain/sso/contract.ts';
import { t } from '#web/platform/texts.ts';
import { useAddressDialog } from '#web/platform/use-address-dialog.ts';
import { testQuery } from '#web/sso/queries.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** The result of a test; the identity provider sends the browser here with `?test`. */
export function TestResultDialog() {
  const dialog = useAddressDialog('test');
  const id = ssoFlowId.safeParse(dialog.value);
  return id.success ? <Shown id={id.data} onClose={dialog.close} /> : null;
}

function Shown({ id, onClose }: { id: SsoFlowId; onClose: () => void }) {
  const { data, error, refetch } = useQuery(testQuery(id));
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t('sso.test.title', { name: data?.connectionName ?? '' })}
      description={t('sso.test.text')}
      closeLabel={t('common.close')}
    >
      {error && !data && (
        <p role="alert" className="text-sm text-destructive">
          {error.message}
        </p>
      )}
      {!data && !error && <Skeleton className="h-40" />}
      {data && !data.result && <p className="text-sm">{t('sso.test.waiting')}</p>}
      {data?.result && <Result result={data.result} />}
      <DialogActions>
        {!data?.result && (
          <Button look="outline" onClick={() => void refetch()}>
            {t('sso.test.again')}
          </Button>
        )}
        <Button onClick={onClose}>{t('common.close')}</Button>
      </DialogActions>
    </Dialog>
  );
}

function Result({ result: { checks, claims, email, role } }: { result: SsoTestResult }) {
  const works = checks.every(({ passed }) => passed);
  return (
    <div className="grid gap-5 text-sm">
      <p>
        <Badge look={works ? 'success' : 'destructive'}>
          {works ? t('sso.test.works') : t('sso.test.broken')}
        </Badge>
      </p>
      <section className="grid gap-2">
        <h3 className="font-semibold">{t('sso.test.checks')}</h3>
        <ul className="grid gap-1.5">
          {checks.map((check) => (
            <CheckLine key={check.name} {...check} />
          ))}
        </ul>
      </section>
      {works && (
        <section className="grid gap-1">
          <h3 className="font-semibold">{t('sso.test.person')}</h3>
          <p className="break-all">{`${t('sso.test.email')}: ${email ?? ''}`}</p>
          {role && <p>{`${t('sso.test.role')}: ${t(`team.roles.${role}`)}`}</p>}
        </section>
      )}
      <section className="grid gap-2">
        <h3 className="font-semibold">{t('sso.test.claims')}</h3>
        {claims.length === 0 && <p className="text-muted-foreground">{t('sso.test.noClaims')}</p>}
        <dl className="grid gap-2">
          {claims.map(({ name, values }) => (
            <div key={name}>
              <dt className="text-xs break-all text-muted-foreground">{name}</dt>
              <dd className="font-mono text-xs break-all">{values.join(', ')}</dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  );
}

function CheckLine({ name, passed, detail }: SsoTestResult['checks'][number]) {
  const Icon = passed ? Check : X;
  return (
    <li className="flex gap-2">
      <Icon
        aria-label={passed ? t('sso.test.passed') : t('sso.test.notPassed')}
        className={passed ? 'mt-0.5 size-4 text-success' : 'mt-0.5 size-4 text-destructive'}
      />
      <span className="min-w-0 flex-1">
        {t(`sso.test.names.${name}`)}
        {detail && <span className="block break-words text-destructive">{detail}</span>}
      </span>
    </li>
  );
}

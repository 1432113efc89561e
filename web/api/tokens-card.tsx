import '#web/platform/api-texts.ts';
import { KeyRound, Plus } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import type { ApiToken, MadeApiToken } from '#domain/api/contract.ts';
import { MadeToken } from '#web/api/made-token.tsx';
import type { TokensOf } from '#web/api/queries.ts';
import { RevokeToken } from '#web/api/revoke-token.tsx';
import { TokenForm } from '#web/api/token-form.tsx';
import { FormDialog } from '#web/platform/form-dialog.tsx';
import { PagedRows } from '#web/platform/paged-rows.tsx';
import { t } from '#web/platform/texts.ts';
import { formatDateTime } from '#web/platform/time-ago.ts';
import { useAddressDialog } from '#web/platform/use-address-dialog.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { type Column, Table } from '#web/ui/table.tsx';

const muted = (text: string) => <span className="text-muted-foreground">{text}</span>;
const name: Column<ApiToken> = {
  title: t('api.columns.name'),
  yields: true,
  stacked: 'line',
  cell: ({ name, scopes }) => (
    <>
      <span className="block truncate font-medium @4xl:max-w-80" title={name}>
        {name}
      </span>
      <span className="text-muted-foreground block font-mono text-xs whitespace-normal">
        {scopes.join(', ')}
      </span>
    </>
  ),
};
const times: Column<ApiToken>[] = [
  {
    title: t('api.columns.lastUsed'),
    cell: ({ lastUsedAt }) => muted(lastUsedAt ? formatDateTime(lastUsedAt) : t('api.never')),
  },
  { title: t('api.columns.expires'), cell: (token) => <Expiry token={token} /> },
];

const isOver = ({ expiresAt }: ApiToken) =>
  expiresAt !== null && Date.parse(expiresAt) <= Date.now();

function Expiry({ token }: { token: ApiToken }) {
  if (token.expiresAt === null) return muted(t('api.noEnd'));
  const time = formatDateTime(token.expiresAt);
  if (!isOver(token)) return muted(time);
  return <span className="text-destructive">{t('api.expired', { time })}</span>;
}

interface TokensCardProps<Token extends ApiToken> {
  of: TokensOf;
  pages: ComponentProps<typeof PagedRows<Token>>['pages'];
  /** What this list shows beside name and times. */
  columns: Column<Token>[];
}

/** A list of API tokens; a new one is shown once. */
export function TokensCard<Token extends ApiToken>({ of, pages, columns }: TokensCardProps<Token>) {
  const dialog = useAddressDialog(of === 'personal' ? 'token' : 'organization-token');
  const [made, setMade] = useState<MadeApiToken | null>(null);
  const open = of === 'personal' ? t('api.open') : t('api.openOrganization');
  const close = () => {
    setMade(null);
    dialog.close();
  };
  const controls: Column<Token> = {
    title: t('api.columns.actions'),
    align: 'end',
    stacked: 'end',
    cell: (token) => !isOver(token) && <RevokeToken of={of} token={token} />,
  };
  return (
    <Card className="min-w-0">
      <CardHeader
        title={t(`api.${of}.title`)}
        action={
          <Button size="small" onClick={() => dialog.open()}>
            <Plus aria-hidden className="size-4" />
            {open}
          </Button>
        }
      />
      <p className="border-b px-5 py-3 text-sm text-muted-foreground">{t(`api.${of}.text`)}</p>
      <PagedRows
        pages={pages}
        empty={
          <EmptyState icon={KeyRound} title={t(`api.${of}.none`)} text={t(`api.${of}.noneText`)} />
        }
        texts={{ loadMore: t('api.loadMore'), loadingMore: t('common.loading') }}
      >
        {(tokens) => (
          <Table
            label={t(`api.${of}.title`)}
            columns={[name, ...columns, ...times, controls]}
            rows={tokens}
            keyOf={({ id }) => id}
            stacks
          />
        )}
      </PagedRows>
      <FormDialog
        open={dialog.value !== null || made !== null}
        onClose={close}
        title={made ? t('api.made.title') : open}
      >
        {made ? <MadeToken made={made} onDone={close} /> : <TokenForm of={of} onMade={setMade} />}
      </FormDialog>
    </Card>
  );
}

import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import type { MadeScimToken, ScimToken } from '#domain/scim/contract.ts';
import { FormDialog } from '#web/platform/form-dialog.tsx';
import { PagedRows } from '#web/platform/paged-rows.tsx';
import { t } from '#web/platform/texts.ts';
import { formatDateTime } from '#web/platform/time-ago.ts';
import { useAddressDialog } from '#web/platform/use-address-dialog.ts';
import { MadeToken } from '#web/scim/made-token.tsx';
import { useScimTokens } from '#web/scim/queries.ts';
import { TokenControls } from '#web/scim/token-controls.tsx';
import { TokenForm } from '#web/scim/token-form.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card, CardHeader } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { type Column, Table } from '#web/ui/table.tsx';

const muted = (text: string) => <span className="text-muted-foreground">{text}</span>;
const columns: Column<ScimToken>[] = [
  {
    title: t('scim.columns.name'),
    yields: true,
    stacked: 'line',
    cell: (token) => (
      <>
        <span className="block truncate font-medium @4xl:max-w-80" title={token.name}>
          {token.name}
        </span>
        <Orphan token={token} />
      </>
    ),
  },
  {
    title: t('scim.columns.lastUsed'),
    cell: ({ lastUsedAt }) => muted(lastUsedAt ? formatDateTime(lastUsedAt) : t('scim.never')),
  },
  { title: t('scim.columns.expires'), cell: (token) => <Expiry token={token} /> },
];

const isOver = ({ expiresAt }: ScimToken) =>
  expiresAt !== null && Date.parse(expiresAt) <= Date.now();

function Expiry({ token }: { token: ScimToken }) {
  if (token.expiresAt === null) return muted(t('scim.noEnd'));
  const time = formatDateTime(token.expiresAt);
  if (isOver(token)) {
    return <span className="text-destructive">{t('scim.expired', { time })}</span>;
  }
  return (
    <span className="flex flex-wrap items-center gap-2">
      {muted(time)}
      {token.isReplaced && <Badge look="outline">{t('scim.replaced')}</Badge>}
    </span>
  );
}

/** Warns that a token stops soon, and why. */
function Orphan({ token: { orphanOf, expiresAt } }: { token: ScimToken }) {
  if (orphanOf === null || expiresAt === null) return null;
  const time = formatDateTime(expiresAt);
  const { name } = orphanOf;
  return (
    <span className="text-destructive block text-sm whitespace-normal">
      {name ? t('scim.orphan.of', { name, time }) : t('scim.orphan.ofDeleted', { time })}
    </span>
  );
}

/** The tokens of the directory; a new one is shown once. */
export function TokensCard() {
  const dialog = useAddressDialog('token');
  const [made, setMade] = useState<MadeScimToken | null>(null);
  const close = () => {
    setMade(null);
    dialog.close();
  };
  return (
    <Card className="min-w-0">
      <CardHeader
        title={t('scim.tokens')}
        action={
          <Button size="small" onClick={() => dialog.open()}>
            <Plus aria-hidden className="size-4" />
            {t('scim.token.open')}
          </Button>
        }
      />
      <Tokens onMade={setMade} />
      <FormDialog
        open={dialog.value !== null || made !== null}
        onClose={close}
        title={made ? t('scim.made.title') : t('scim.token.open')}
      >
        {made ? <MadeToken made={made} onDone={close} /> : <TokenForm onMade={setMade} />}
      </FormDialog>
    </Card>
  );
}

function Tokens({ onMade }: { onMade: (made: MadeScimToken) => void }) {
  const controls: Column<ScimToken> = {
    title: t('scim.columns.actions'),
    align: 'end',
    stacked: 'end',
    cell: (token) => !isOver(token) && <TokenControls token={token} onMade={onMade} />,
  };
  return (
    <PagedRows
      pages={useScimTokens()}
      empty={<EmptyState icon={KeyRound} title={t('scim.none')} text={t('scim.noneText')} />}
      texts={{ loadMore: t('scim.loadMore'), loadingMore: t('common.loading') }}
    >
      {(tokens) => (
        <Table
          label={t('scim.tokens')}
          columns={[...columns, controls]}
          rows={tokens}
          keyOf={({ id }) => id}
          stacks
        />
      )}
    </PagedRows>
  );
}

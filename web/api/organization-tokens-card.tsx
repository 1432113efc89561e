import type { OrganizationToken } from '#domain/api/contract.ts';
import { useOrganizationTokens } from '#web/api/queries.ts';
import { TokensCard } from '#web/api/tokens-card.tsx';
import { t } from '#web/platform/texts.ts';
import type { Column } from '#web/ui/table.tsx';

function ownerOf({ person, madeBy, isOfAdmin }: OrganizationToken): string {
  if (person !== null) return person;
  if (madeBy === null) return t('api.ofOrganizationUnknown');
  return isOfAdmin
    ? t('api.ofOrganization', { name: madeBy })
    : t('api.ofFormerAdmin', { name: madeBy });
}
const owner: Column<OrganizationToken> = {
  title: t('api.columns.of'),
  cell: (token) => <span className="text-muted-foreground">{ownerOf(token)}</span>,
};

export function OrganizationTokensCard() {
  return <TokensCard of="organization" pages={useOrganizationTokens()} columns={[owner]} />;
}

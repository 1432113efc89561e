import { usePersonalTokens } from '#web/api/queries.ts';
import { TokensCard } from '#web/api/tokens-card.tsx';

export function PersonalTokensCard() {
  return <TokensCard of="personal" pages={usePersonalTokens()} columns={[]} />;
}

import { unnamedOwners } from '#domain/ai/contract.ts';
import { t } from '#web/platform/texts.ts';

/** Returns a name unchanged, and a text for owners who are not named. */
export function ownerName(owner: string): string {
  const unnamed = unnamedOwners.find((one) => one === owner);
  return unnamed ? t(`ai.actionItems.owners.${unnamed}`) : owner;
}

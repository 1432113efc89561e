import { createHash } from 'node:crypto';
import type { ActionItem } from '#domain/ai/contract.ts';

/**
 * Recognizes an item when the list is generated again: what the analyzer wrote, and the line it comes from. A hash,
 * so that nothing of a deleted item remains readable.
 */
export const keyOf = ({ title, description }: Pick<ActionItem, 'title' | 'description'>): string =>
  createHash('sha256').update(`${title}\n${description}`).digest('hex').slice(0, 32);

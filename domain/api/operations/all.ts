import { callOperations } from './calls.ts';
import type { Operations } from './operation.ts';
import { roomOperations } from './rooms.ts';
import { teamOperations } from './team.ts';
import { webhookOperations } from './webhooks.ts';

/** Every operation of the public API by its `operationId`. */
export const operations: Operations = {
  ...roomOperations,
  ...callOperations,
  ...teamOperations,
  ...webhookOperations,
};

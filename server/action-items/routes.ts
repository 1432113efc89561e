import * as contract from '#domain/action-items/contract.ts';
import { generateActionItems, longestConversation } from '#domain/ai/contract.ts';
import { lastCharacters } from '#domain/ai/rules.ts';
import type { ParamsOf } from '#domain/contract.ts';
import { findActionItems } from '#server/ai/analyses.ts';
import { answered } from '#server/ai/answered.ts';
import { conversationOfCall, readNotes } from '#server/ai/conversation-of-call.ts';
import { noteUse } from '#server/ai/note-use.ts';
import { requesterLeft } from '#server/ai/requester-left.ts';
import { findCallWithoutNotes } from '#server/calls/store.ts';
import type { Represented } from '#server/http/entity-tags.ts';
import { answer, type Site, tenantRoute } from '#server/http/route.ts';
import { limit } from '#server/platform/rate-limit.ts';
import {
  addActionItem,
  deleteActionItem,
  holdActionItem,
  updateActionItem,
} from './change-action-items.ts';
import { generateFromCall, inTurn, keepAnswered } from './generate.ts';
import { listActionItems, listOpenActionItems, readActionItem } from './store.ts';

export function actionItemRoutes(site: Site): void {
  const { ai } = site;
  const represented: Represented<ParamsOf<typeof contract.readActionItem>> = {
    reading: contract.readActionItem,
    hold: (tx, { id }) => holdActionItem(tx, id),
  };
  // A whole conversation takes seconds where an excerpt takes milliseconds.
  const readingWhole = limit(site, 'whole_analyses', 20, 60);

  tenantRoute(site, generateActionItems, async ({ tenant, body, user, reply }) => {
    readingWhole(user.id);
    const call = await findCallWithoutNotes(tenant, body.callId);
    const { fullConversation, currentNotes, timeZone } = body;
    const text = withNotes(fullConversation, currentNotes ?? '');
    await noteUse(tenant, ai.analyzer, 'ACTION_ITEMS_ASKED', call.id);
    const by = { services: site, tenant, signal: requesterLeft(reply) };
    const { value: actionItems, analyzer } = await answered(
      inTurn(tenant, async () => {
        const storedNotes = await readNotes(tenant, call.id);
        const about = { ...body, storedNotes };
        const conversation = await conversationOfCall(tenant, call, text, about);
        return findActionItems({ ...by, call: call.id, conversation });
      }),
    );
    await answered(keepAnswered(by, call, { text, actionItems, analyzer, timeZone }));
    return answer(200, { actionItems, analyzer });
  });

  tenantRoute(site, contract.listActionItems, async ({ tenant, params }) =>
    answer(200, await listActionItems(tenant, params.id)),
  );

  tenantRoute(site, contract.listOpenActionItems, async ({ tenant, params }) =>
    answer(200, await listOpenActionItems(tenant, params.id)),
  );

  tenantRoute(
    site,
    contract.regenerateActionItems,
    async ({ tenant, params, body, user, reply }) => {
      readingWhole(user.id);
      const call = await findCallWithoutNotes(tenant, params.id);
      const how = { which: 'again', timeZone: body.timeZone } as const;
      const by = { services: site, tenant, signal: requesterLeft(reply) };
      await answered(generateFromCall(by, call, how));
      return answer(200, await listActionItems(tenant, call.id));
    },
  );

  tenantRoute(site, contract.addActionItem, async ({ tenant, params, body }) =>
    answer(201, await addActionItem(tenant, params.id, body)),
  );

  tenantRoute(site, contract.readActionItem, async ({ tenant, params }) =>
    answer(200, await tenant.connection((at) => readActionItem(at, params.id))),
  );

  tenantRoute(
    site,
    contract.updateActionItem,
    async ({ tenant, params, body }) =>
      answer(200, await updateActionItem(tenant, params.id, body)),
    represented,
  );

  tenantRoute(
    site,
    contract.deleteActionItem,
    async ({ tenant, params }) => {
      await deleteActionItem(tenant, params.id);
      return answer(204, null);
    },
    represented,
  );
}

/**
 * Appends the notes. They are often the conversation itself, its beginning, or its end, and are
 * then not read twice. Searching for them anywhere in it would take the product of both lengths.
 */
function withNotes(conversation: string, given: string): string {
  const notes = given.trim();
  if (conversation.startsWith(notes) || conversation.trimEnd().endsWith(notes)) return conversation;
  return lastCharacters(`${conversation}\n${notes}`, longestConversation);
}

import * as contract from '#domain/ai/contract.ts';
import {
  coachingExcerptCharacters,
  lastCharacters,
  sentimentExcerptCharacters,
} from '#domain/ai/rules.ts';
import { DomainError } from '#domain/errors.ts';
import type { CallId } from '#domain/ids.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { findCall } from '#server/calls/store.ts';
import { answer, type Site, tenantRoute } from '#server/http/route.ts';
import type { Tenant } from '#server/platform/access.ts';
import { limit } from '#server/platform/rate-limit.ts';
import { AnalyzerError } from '#server/providers/ai/port.ts';
import { conversationOfCall } from './conversation-of-call.ts';
import { generateActionItems } from './generate-action-items.ts';
import { listActionItems } from './store.ts';

export function aiRoutes(site: Site): void {
  const { ai } = site;
  // Several concurrent calls of one person, polled and by hand, stay far below this.
  const analyzing = limit(site, 'analyses', 60, 60);
  // A whole conversation takes seconds where an excerpt takes milliseconds.
  const readingWhole = limit(site, 'whole_analyses', 20, 60);

  /**
   * Recorded before the conversation is passed on, because its text leaves the server even if the
   * analyzer then fails.
   */
  const noteUse = (tenant: Tenant, action: Uppercase<string>, call: CallId) =>
    tenant.transaction((tx) =>
      recordEvent(tx, { action, entity: 'call', entityId: call, metadata: { ...ai.analyzer } }),
    );

  tenantRoute(site, contract.analyzeSentiment, async ({ tenant, body, user }) => {
    analyzing(user.id);
    const call = await findCall(tenant, body.callId);
    const text = lastCharacters(body.conversationText, sentimentExcerptCharacters);
    await noteUse(tenant, 'SENTIMENT_ANALYZED', call.id);
    const found = await answered(
      ai.readSentiment(conversationOfCall(tenant.orgId, call, text, body)),
    );
    return answer(200, { ...found, analyzer: ai.analyzer });
  });

  tenantRoute(site, contract.generateCoaching, async ({ tenant, body, user }) => {
    analyzing(user.id);
    const call = await findCall(tenant, body.callId);
    const text = lastCharacters(body.conversationText, coachingExcerptCharacters);
    await noteUse(tenant, 'COACHING_ASKED', call.id);
    const suggestions = await answered(
      ai.suggest(conversationOfCall(tenant.orgId, call, text, body)),
    );
    return answer(200, { suggestions, analyzer: ai.analyzer });
  });

  tenantRoute(site, contract.generateActionItems, async ({ tenant, body, user }) => {
    readingWhole(user.id);
    const call = await findCall(tenant, body.callId);
    const { fullConversation, currentNotes } = body;
    const text = withNotes(fullConversation, currentNotes ?? '');
    const conversation = conversationOfCall(tenant.orgId, call, text, body);
    await noteUse(tenant, 'ACTION_ITEMS_ASKED', call.id);
    return answer(200, await answered(generateActionItems(ai, tenant, call, conversation)));
  });

  tenantRoute(site, contract.listActionItems, async ({ tenant, params }) =>
    answer(200, await listActionItems(tenant, params.id)),
  );
}

/** @throws DomainError 503 when the analyzer cannot answer */
async function answered<T>(question: Promise<T>): Promise<T> {
  try {
    return await question;
  } catch (error) {
    if (!(error instanceof AnalyzerError)) throw error;
    throw new DomainError(
      'unavailable',
      'analyzer_failed',
      'We couldn’t analyze the conversation. Please try again in a minute.',
    );
  }
}

/**
 * Appends the notes. They are often the conversation itself, its beginning, or its end, and are
 * then not read twice. Searching for them anywhere in it would take the product of both lengths.
 */
function withNotes(conversation: string, given: string): string {
  const notes = given.trim();
  if (conversation.startsWith(notes) || conversation.trimEnd().endsWith(notes)) return conversation;
  return lastCharacters(`${conversation}\n${notes}`, contract.longestConversation);
}

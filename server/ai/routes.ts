import * as contract from '#domain/ai/contract.ts';
import {
  coachingExcerptCharacters,
  lastCharacters,
  sentimentExcerptCharacters,
} from '#domain/ai/rules.ts';
import { findCallWithoutNotes } from '#server/calls/store.ts';
import { answer, type Site, tenantRoute } from '#server/http/route.ts';
import { limit } from '#server/platform/rate-limit.ts';
import { answered } from './answered.ts';
import { conversationOfCall } from './conversation-of-call.ts';
import { noteUse } from './note-use.ts';

export function aiRoutes(site: Site): void {
  const { ai } = site;
  // Several concurrent calls of one person, polled and by hand, stay far below this.
  const analyzing = limit(site, 'analyses', 60, 60);

  tenantRoute(site, contract.analyzeSentiment, async ({ tenant, body, user }) => {
    analyzing(user.id);
    const call = await findCallWithoutNotes(tenant, body.callId);
    const text = lastCharacters(body.conversationText, sentimentExcerptCharacters);
    await noteUse(tenant, ai.analyzer, 'SENTIMENT_ANALYZED', call.id);
    const found = await answered(
      ai.readSentiment(conversationOfCall(tenant.orgId, call, text, body)),
    );
    return answer(200, { ...found, analyzer: ai.analyzer });
  });

  tenantRoute(site, contract.generateCoaching, async ({ tenant, body, user }) => {
    analyzing(user.id);
    const call = await findCallWithoutNotes(tenant, body.callId);
    const text = lastCharacters(body.conversationText, coachingExcerptCharacters);
    await noteUse(tenant, ai.analyzer, 'COACHING_ASKED', call.id);
    const suggestions = await answered(
      ai.suggest(conversationOfCall(tenant.orgId, call, text, body)),
    );
    return answer(200, { suggestions, analyzer: ai.analyzer });
  });
}

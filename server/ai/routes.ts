import * as contract from '#domain/ai/contract.ts';
import {
  coachingExcerptCharacters,
  lastCharacters,
  sentimentExcerptCharacters,
} from '#domain/ai/rules.ts';
import { findCallWithoutNotes } from '#server/calls/store.ts';
import { answer, type Site, tenantRoute } from '#server/http/route.ts';
import { limit } from '#server/platform/rate-limit.ts';
import { readSentiment, suggest } from './analyses.ts';
import { CallAnalysis } from './analyze-call.ts';
import { answered } from './answered.ts';
import { conversationOfCall } from './conversation-of-call.ts';
import { noteUse } from './note-use.ts';
import { requesterLeft } from './requester-left.ts';

export function aiRoutes(site: Site): void {
  const { ai } = site;
  // Several concurrent calls of one person, polled and by hand, stay far below this.
  const analyzing = limit(site, 'analyses', 60, 60);
  const callAnalysis = new CallAnalysis(site);

  tenantRoute(site, contract.analyzeSentiment, async ({ tenant, body, user, reply }) => {
    analyzing(user.id);
    const call = await findCallWithoutNotes(tenant, body.callId);
    const text = lastCharacters(body.conversationText, sentimentExcerptCharacters);
    await noteUse(tenant, ai.analyzer, 'SENTIMENT_ANALYZED', call.id);
    const conversation = await conversationOfCall(
      tenant,
      call,
      text,
      body,
      sentimentExcerptCharacters,
    );
    const signal = requesterLeft(reply);
    const asking = { services: site, tenant, call: call.id, conversation, signal };
    const { value, analyzer } = await answered(readSentiment(asking));
    return answer(200, { ...value, analyzer });
  });

  tenantRoute(site, contract.generateCoaching, async ({ tenant, body, user, reply }) => {
    analyzing(user.id);
    const call = await findCallWithoutNotes(tenant, body.callId);
    const text = lastCharacters(body.conversationText, coachingExcerptCharacters);
    await noteUse(tenant, ai.analyzer, 'COACHING_ASKED', call.id);
    const conversation = await conversationOfCall(
      tenant,
      call,
      text,
      body,
      coachingExcerptCharacters,
    );
    const signal = requesterLeft(reply);
    const asking = { services: site, tenant, call: call.id, conversation, signal };
    const { value: suggestions, analyzer } = await answered(suggest(asking));
    return answer(200, { suggestions, analyzer });
  });

  tenantRoute(site, contract.analyzeCall, async ({ tenant, params, body, user }) => {
    analyzing(user.id);
    const call = await findCallWithoutNotes(tenant, params.id);
    return answer(200, await answered(callAnalysis.answer(tenant, call, body)));
  });
}

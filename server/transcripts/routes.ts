import * as contract from '#domain/transcripts/contract.ts';
import { answer, type Site, tenantRoute } from '#server/http/route.ts';
import { limit } from '#server/platform/rate-limit.ts';
import { correctLine } from './correct-line.ts';
import { exportTranscript } from './export/export-transcript.ts';
import { readTranscript } from './read-transcript.ts';

export function transcriptRoutes(site: Site): void {
  const exporting = limit(site, 'exports', 30, 600);

  tenantRoute(site, contract.readSpeechService, async () => {
    const speech = site.speech.current();
    if (!speech) return answer(200, { service: null });
    const { kind, recognizer, host } = speech;
    return answer(200, { service: { kind, recognizer, host } });
  });

  tenantRoute(site, contract.getTranscript, async ({ tenant, params, query }) =>
    answer(200, await readTranscript(tenant, params.id, query)),
  );

  tenantRoute(site, contract.correctLine, async ({ tenant, params, body }) =>
    answer(200, await correctLine(tenant, params.id, body.text)),
  );

  tenantRoute(site, contract.exportTranscript, async ({ tenant, params, query, user }) => {
    exporting(user.id);
    const { format } = query;
    const { type, content, startedAt } = await exportTranscript(tenant, params.id, format);
    const day = startedAt.toISOString().slice(0, 10);
    return answer(200, content, {
      'content-type': type,
      'content-disposition': `attachment; filename="transcript-${day}.${format}"`,
    });
  });
}

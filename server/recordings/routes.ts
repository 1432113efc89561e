import * as contract from '#domain/recordings/contract.ts';
import { answer, type Site, tenantRoute } from '#server/http/route.ts';
import { deleteRecording, removeFromRecording, retryRecording } from './delete-recording.ts';
import { deleteDiscardedSoon } from './discarded-files.ts';
import { followChanges } from './egress/follow-rooms.ts';
import { followHostedChanges } from './hosted/follow-hosted-rooms.ts';
import { liftLegalHold, placeLegalHold } from './legal-hold.ts';
import { mediaRoutes } from './media-routes.ts';
import { readRecording } from './read-recording.ts';
import { chargeFor, inTurn } from './shown-files.ts';
import { readRecordingStorage } from './storage.ts';
import { uploadRoutes } from './upload-routes.ts';

export function recordingRoutes(site: Site): void {
  uploadRoutes(site);
  mediaRoutes(site);
  followChanges(site);
  followHostedChanges(site);

  tenantRoute(site, contract.getRecording, async ({ tenant, params, session, user, request }) => {
    const holder = { session: session.id, account: user.id };
    const recording = await inTurn(tenant.orgId, user.id, () =>
      readRecording(tenant, params.id, { secrets: site.secrets, holder }),
    );
    chargeFor(request.answerReader, recording.people);
    return answer(200, recording);
  });
  tenantRoute(site, contract.retryRecording, async ({ tenant, params }) => {
    await retryRecording(tenant, params.id);
    return answer(204, null);
  });
  tenantRoute(site, contract.deleteRecording, async ({ tenant, params }) => {
    await deleteRecording(tenant, params.id);
    await deleteDiscardedSoon(site, tenant.orgId);
    return answer(204, null);
  });
  tenantRoute(site, contract.removeFromRecording, async ({ tenant, params }) => {
    await removeFromRecording(tenant, params.id, params.participantId);
    await deleteDiscardedSoon(site, tenant.orgId);
    return answer(204, null);
  });
  tenantRoute(site, contract.placeLegalHold, async ({ tenant, params, body }) => {
    await placeLegalHold(tenant, params.id, body.reason);
    return answer(204, null);
  });
  tenantRoute(site, contract.liftLegalHold, async ({ tenant, params }) => {
    await liftLegalHold(tenant, params.id);
    await deleteDiscardedSoon(site, tenant.orgId);
    return answer(204, null);
  });
  tenantRoute(site, contract.readRecordingStorage, async ({ tenant }) =>
    answer(200, await readRecordingStorage(tenant, site.config)),
  );
}

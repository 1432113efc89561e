import * as contract from '#domain/calls/contract.ts';
import type { ParamsOf } from '#domain/contract.ts';
import { readIceServers } from '#domain/devices/contract.ts';
import type { Represented } from '#server/http/entity-tags.ts';
import { answer, publicRoute, type Site, tenantRoute } from '#server/http/route.ts';
import { storedBytes } from '#server/platform/stored-bytes.ts';
import { readMeetingToken, tokenRefused } from '#server/rooms/meeting-token.ts';
import { tellCallChange } from './call-changes.ts';
import { findCallDetails, holdCallDetails } from './call-details.ts';
import { listChat } from './chat.ts';
import { addChecklistItem, choosePlaybook } from './extend-checklist.ts';
import { hostedAdmissionRoute } from './hosted-admission.ts';
import type { HostedRecordings } from './hosted-recordings.ts';
import { lookUpAtStart } from './hosted-revocations.ts';
import { iceServers } from './ice-servers.ts';
import type { Published } from './published.ts';
import { tellRoom } from './room-events.ts';
import { bytesOfChecklist, startCall } from './start-call.ts';
import { requireCall } from './store.ts';
import { updateCall } from './update-call.ts';

/** Bytes as which a message to a panel counts at least: most of its cost is that it is sent. */
const leastOfMessage = 1024;

export function callRoutes(
  site: Site,
  requireUnrecorded: HostedRecordings['requireUnrecorded'],
  published: Pick<Published, 'receivers' | 'notesTurns'>,
): void {
  hostedAdmissionRoute(site, requireUnrecorded);
  const represented: Represented<ParamsOf<typeof contract.readCall>> = {
    reading: contract.readCall,
    hold: (tx, { id }) => holdCallDetails(tx, id),
  };

  publicRoute(site, contract.leaveMeeting, async ({ body }) => {
    const claims = await readMeetingToken(site.secrets, body.token);
    if (!claims) throw tokenRefused();
    const { roomId, participantId: to } = claims;
    tellRoom(site.bus, roomId, { to, endedSession: body.session });
    return answer(204, null);
  });

  tenantRoute(site, readIceServers, async ({ user }) =>
    answer(200, { iceServers: iceServers(site.config, user.id) }),
  );

  tenantRoute(site, contract.readCall, async ({ tenant, params }) =>
    answer(200, await findCallDetails(tenant, params.id)),
  );

  tenantRoute(site, contract.readChat, async ({ tenant, params }) => {
    await tenant.connection((at) => requireCall(at, params.id));
    return answer(200, await listChat(tenant, params.id, null));
  });

  tenantRoute(site, contract.startCall, async ({ tenant, body }) => {
    const { call, isNew } = await startCall(tenant, body, site);
    if (isNew) {
      // For those who are connected, the call begins by the server's clock.
      const { id, createdAt: startedAt, roomId } = call;
      const started = { id, startedAt, joined: site.video.joins === 'unknown' };
      tellRoom(site.bus, roomId, { message: { type: 'call-started', call: started } });
      tellCallChange(site.bus, tenant.orgId);
      lookUpAtStart(site, tenant.orgId, roomId);
    }
    return isNew ? answer(201, call) : answer(200, call);
  });

  tenantRoute(site, contract.addChecklistItem, async ({ tenant, params, body }) =>
    answer(201, await addChecklistItem(site.bus, tenant, params.id, body)),
  );

  tenantRoute(
    site,
    contract.choosePlaybook,
    async ({ tenant, params, body }) => {
      const call = await choosePlaybook(site.bus, tenant, params.id, body.playbookId);
      storedBytes(site).spend(tenant, bytesOfChecklist(call));
      return answer(200, call);
    },
    represented,
  );

  tenantRoute(
    site,
    contract.updateCall,
    async ({ tenant, params, body, request }) => {
      let bytes = 0;
      const { receivers, notesTurns } = published;
      const panels = {
        notesTurns,
        of: receivers,
        told: (count: number, length: number) => {
          bytes += count * Math.max(length, leastOfMessage);
        },
      };
      const call = await updateCall(site, tenant, params.id, body, panels);
      // What panels are told is charged as if it were in the answer.
      request.answerReader?.made(bytes);
      return answer(200, call);
    },
    represented,
  );
}

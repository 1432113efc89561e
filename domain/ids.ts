import { z } from 'zod';

/** Ids are UUIDs of version 7 (RFC 9562), so that they sort by creation time. */
export const accountId = z.uuid().brand<'AccountId'>();
export const orgId = z.uuid().brand<'OrgId'>();
export const roomId = z.uuid().brand<'RoomId'>();
export const guestLinkId = z.uuid().brand<'GuestLinkId'>();
export const playbookId = z.uuid().brand<'PlaybookId'>();
export const checklistItemId = z.uuid().brand<'ChecklistItemId'>();
export const callId = z.uuid().brand<'CallId'>();
/** One person's presence in one call: created with the meeting token, kept across reconnects. */
export const participantId = z.uuid().brand<'ParticipantId'>();
export const embedTokenId = z.uuid().brand<'EmbedTokenId'>();
/** A guest's browser, recognized by its cookie. */
export const browserId = z.uuid().brand<'BrowserId'>();
export const ratingId = z.uuid().brand<'RatingId'>();
export const fileId = z.uuid().brand<'FileId'>();
export const invitationId = z.uuid().brand<'InvitationId'>();
export const actionItemId = z.uuid().brand<'ActionItemId'>();
export const chatMessageId = z.uuid().brand<'ChatMessageId'>();
export const ssoConnectionId = z.uuid().brand<'SsoConnectionId'>();
export const ssoDomainId = z.uuid().brand<'SsoDomainId'>();
/** One sign-in attempt at an identity provider. */
export const ssoFlowId = z.uuid().brand<'SsoFlowId'>();
export const scimTokenId = z.uuid().brand<'ScimTokenId'>();
export const scimGroupId = z.uuid().brand<'ScimGroupId'>();
export const mediaRoomId = z.uuid().brand<'MediaRoomId'>();
export const sampleSetId = z.uuid().brand<'SampleSetId'>();
export const captureId = z.uuid().brand<'CaptureId'>();
export const consentId = z.uuid().brand<'ConsentId'>();
export const recordedTrackId = z.uuid().brand<'RecordedTrackId'>();
export const recordedSegmentId = z.uuid().brand<'RecordedSegmentId'>();
export const recordedMediaId = z.uuid().brand<'RecordedMediaId'>();
export const transcriptLineId = z.uuid().brand<'TranscriptLineId'>();
/** A link to a recording. */
export const shareId = z.uuid().brand<'ShareId'>();
export const webhookId = z.uuid().brand<'WebhookId'>();
export const webhookDeliveryId = z.uuid().brand<'WebhookDeliveryId'>();
/** A token of the public API. */
export const apiTokenId = z.uuid().brand<'ApiTokenId'>();
export const crmConnectionId = z.uuid().brand<'CrmConnectionId'>();

/** Where a list in the order of ids begins. */
export const leastId = '00000000-0000-0000-0000-000000000000';
/** Where a list begins that has the newest first. */
export const greatestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export type AccountId = z.infer<typeof accountId>;
export type OrgId = z.infer<typeof orgId>;
export type RoomId = z.infer<typeof roomId>;
export type EmbedTokenId = z.infer<typeof embedTokenId>;
export type GuestLinkId = z.infer<typeof guestLinkId>;
export type PlaybookId = z.infer<typeof playbookId>;
export type ChecklistItemId = z.infer<typeof checklistItemId>;
export type CallId = z.infer<typeof callId>;
export type ParticipantId = z.infer<typeof participantId>;
export type BrowserId = z.infer<typeof browserId>;
export type RatingId = z.infer<typeof ratingId>;
export type FileId = z.infer<typeof fileId>;
export type InvitationId = z.infer<typeof invitationId>;
export type ActionItemId = z.infer<typeof actionItemId>;
export type ChatMessageId = z.infer<typeof chatMessageId>;
export type SsoConnectionId = z.infer<typeof ssoConnectionId>;
export type SsoDomainId = z.infer<typeof ssoDomainId>;
export type SsoFlowId = z.infer<typeof ssoFlowId>;
export type ScimTokenId = z.infer<typeof scimTokenId>;
export type ScimGroupId = z.infer<typeof scimGroupId>;
export type MediaRoomId = z.infer<typeof mediaRoomId>;
export type SampleSetId = z.infer<typeof sampleSetId>;
export type RecordedTrackId = z.infer<typeof recordedTrackId>;
export type RecordedSegmentId = z.infer<typeof recordedSegmentId>;
export type RecordedMediaId = z.infer<typeof recordedMediaId>;
export type TranscriptLineId = z.infer<typeof transcriptLineId>;
export type ShareId = z.infer<typeof shareId>;
export type WebhookId = z.infer<typeof webhookId>;
export type WebhookDeliveryId = z.infer<typeof webhookDeliveryId>;
export type ApiTokenId = z.infer<typeof apiTokenId>;
export type CrmConnectionId = z.infer<typeof crmConnectionId>;

import { z } from 'zod';
import { contract } from '#domain/contract.ts';
import { callId, consentId, participantId, roomId } from '#domain/ids.ts';
import { pageQuery } from '#domain/paging.ts';
import { captureKind, captureMode } from './capture.ts';

const modes = z.object({
  recording: captureMode,
  transcript: captureMode,
  analysis: captureMode,
});
const ofOrganization = modes.extend({
  /**
   * Where no speech service is set up: whether the browser of a participant who has agreed may recognize their
   * speech, on the device alone.
   */
  browserRecognition: z.boolean(),
});
/** The modes that hold in rooms without one of their own. */
export type OrganizationCapture = z.infer<typeof ofOrganization>;

const own = z.object({
  recording: z.nullable(captureMode),
  transcript: z.nullable(captureMode),
  analysis: z.nullable(captureMode),
});
const ofRoom = z.object({
  /** The room’s own modes; null where it follows its organization. */
  own,
  organization: modes,
});
export type RoomCapture = z.infer<typeof ofRoom>;

export const readOrganizationCapture = contract({
  method: 'GET',
  path: '/api/capture-settings',
  summary:
    'Whether calls are recorded, transcribed, and analyzed in rooms that say nothing of their own',
  permission: 'organization.read',
  output: { 200: ofOrganization },
});

export const changeOrganizationCapture = contract({
  method: 'PUT',
  path: '/api/capture-settings',
  summary:
    'Change what is captured of calls, for rooms that say nothing of their own; an absent kind stays',
  permission: 'organization.update',
  body: ofOrganization.partial(),
  output: { 200: ofOrganization },
  errors: [400],
});

export const readRoomCapture = contract({
  method: 'GET',
  path: '/api/rooms/:id/capture-settings',
  summary: 'Whether calls in a room are recorded, transcribed, and analyzed',
  permission: 'rooms.read',
  params: z.object({ id: roomId }),
  output: { 200: ofRoom },
  errors: [404],
});

export const changeRoomCapture = contract({
  method: 'PUT',
  path: '/api/rooms/:id/capture-settings',
  summary:
    'Change what is captured of calls in a room; null follows the organization, an absent kind stays',
  permission: 'rooms.update',
  params: z.object({ id: roomId }),
  body: own.partial(),
  output: { 200: ofRoom },
  errors: [400, 404],
});

/** One answer to the question whether a participant may be captured. */
export const consentReceipt = z.object({
  id: consentId,
  participantId,
  kind: z.enum(['staff', 'guest']),
  name: z.string(),
  asked: z.array(captureKind),
  agreed: z.array(captureKind),
  /** The question as it was shown. */
  question: z.string(),
  questionVersion: z.int(),
  language: z.string(),
  answeredAt: z.iso.datetime(),
});
export type ConsentReceipt = z.infer<typeof consentReceipt>;

export const listConsents = contract({
  method: 'GET',
  path: '/api/calls/:id/consents',
  summary: 'Who agreed to be recorded in a call and who did not: every answer, newest first',
  permission: 'calls.read',
  params: z.object({ id: callId }),
  query: pageQuery,
  output: { 200: z.array(consentReceipt) },
  errors: [404],
});

export const exportConsents = contract({
  method: 'GET',
  path: '/api/consents/export',
  summary: 'All consent receipts of your organization as CSV, newest first',
  permission: 'privacy.manage',
  output: { 200: null },
  download: ['text/csv'],
  errors: [429],
});

import { z } from 'zod';
import { contract } from '#domain/contract.ts';
import { callId, crmConnectionId } from '#domain/ids.ts';
import { crmMapping, crmVendor, storedMapping } from './mapping.ts';

/** A CRM, and whether the organization is connected to it. */
export const crmConnection = z.object({
  /** Null while there is none. */
  id: crmConnectionId.nullable(),
  vendor: crmVendor,
  /** `unavailable`: the operator has not configured it. */
  state: z.enum(['unavailable', 'not_connected', 'connected', 'needs_attention']),
  /** Who is signed in there. */
  accountName: z.string().nullable(),
  /** `revoked`: the CRM accepts the access no more. `forbidden`: the access does not suffice. */
  attention: z.enum(['revoked', 'forbidden']).nullable(),
  /** Present while connected. */
  settings: z.object({ mapping: storedMapping, deletesCalls: z.boolean() }).nullable(),
  /** Calls that wait, or could not be sent; counted up to 1000 each. */
  waitingCount: z.int(),
  failedCount: z.int(),
});
export type CrmConnection = z.infer<typeof crmConnection>;

export const syncReasons = [
  'internal',
  'no_plan',
  'no_customer',
  'no_match',
  'several_matches',
  'unreachable',
  'rejected',
  'deleted_there',
] as const;
export const crmSync = z.object({
  vendor: crmVendor,
  state: z.enum(['waiting', 'synced', 'skipped', 'failed']),
  /** Of `skipped` and `failed`; of `waiting`, why the last attempt failed. */
  reason: z.enum(syncReasons).nullable(),
  /** What the CRM answered, in short. */
  detail: z.string().nullable(),
  customerEmail: z.string().nullable(),
  syncedAt: z.iso.datetime().nullable(),
  /** The connection needs attention: nothing is sent until an admin connects again. */
  isHeld: z.boolean(),
});
export type CrmSync = z.infer<typeof crmSync>;

export const crmPreview = z.object({
  /** Of the newest call that ended; null if there is none. */
  topic: z.string().nullable(),
  /** The fields of the call, as the CRM gets them. */
  fields: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Titles of tasks. */
  tasks: z.array(z.string()),
});

const byId = z.object({ id: crmConnectionId });
const byCall = z.object({ id: callId });

export const listCrmConnections = contract({
  method: 'GET',
  path: '/api/crm-connections',
  summary: 'The CRMs, and whether your organization is connected to them',
  permission: 'organization.read',
  output: { 200: z.array(crmConnection) },
});

export const authorizeCrm = contract({
  method: 'POST',
  path: '/api/crm-authorizations',
  summary: 'Begin to connect to a CRM: the address where a person allows it',
  permission: 'crm.manage',
  stores: true,
  needsVerifiedAddress: true,
  body: z.object({ vendor: crmVendor }),
  output: { 201: z.object({ url: z.string() }) },
  errors: [400, 402, 409, 429],
});

export const connectCrm = contract({
  method: 'POST',
  path: '/api/crm-connections',
  summary: 'Connect to a CRM with the code that it returned',
  permission: 'crm.manage',
  needsVerifiedAddress: true,
  body: z.object({
    vendor: crmVendor,
    code: z.string().min(1).max(4000),
    state: z.string().min(1).max(200),
  }),
  output: { 201: crmConnection },
  errors: [400, 402, 409, 429],
});

export const updateCrm = contract({
  method: 'PATCH',
  path: '/api/crm-connections/:id',
  summary: 'Choose what of a call goes to the CRM, and whether deleted calls are deleted there',
  permission: 'crm.manage',
  params: byId,
  body: z.object({ mapping: crmMapping.optional(), deletesCalls: z.boolean().optional() }),
  output: { 200: crmConnection },
  errors: [400, 404],
});

export const previewCrm = contract({
  method: 'POST',
  path: '/api/crm-connections/:id/preview',
  summary: 'What the CRM would get of your newest call',
  permission: 'crm.manage',
  params: byId,
  body: z.object({ mapping: crmMapping }),
  output: { 200: crmPreview },
  errors: [400, 404, 409],
});

export const disconnectCrm = contract({
  method: 'DELETE',
  path: '/api/crm-connections/:id',
  summary: 'Disconnect from a CRM, and revoke the access there',
  permission: 'crm.manage',
  params: byId,
  /** Not revoked: the CRM did not answer, so the access is to be removed there. */
  output: { 200: z.object({ isRevoked: z.boolean() }) },
  errors: [404],
});

export const listCrmSyncs = contract({
  method: 'GET',
  path: '/api/calls/:id/crm-syncs',
  summary: 'Whether a call has reached the connected CRMs',
  permission: 'calls.read',
  params: byCall,
  output: { 200: z.array(crmSync) },
  errors: [404],
});

export const retryCrmSync = contract({
  method: 'POST',
  path: '/api/calls/:id/crm-syncs',
  summary: 'Send a call to a CRM again, or for the first time',
  permission: 'calls.update',
  params: byCall,
  body: z.object({ vendor: crmVendor }),
  output: { 200: crmSync },
  errors: [400, 404, 409, 429],
});

import type { z } from 'zod';
import { actionItemList, storedActionItem } from '#domain/action-items/contract.ts';
import { citation } from '#domain/ai/evidence.ts';
import { analytics } from '#domain/analytics/contract.ts';
import { user } from '#domain/auth/contract.ts';
import {
  attendance,
  call,
  callDetails,
  chatMessage,
  listedCall,
  rating,
} from '#domain/calls/contract.ts';
import { problem } from '#domain/errors.ts';
import { insights } from '#domain/insights/contract.ts';
import { guestAccess, namedLink } from '#domain/links/contract.ts';
import { checklistItem, playbook, playbookUse } from '#domain/playbooks/contract.ts';
import { guestLink, room } from '#domain/rooms/contract.ts';
import { transcriptLine } from '#domain/transcripts/contract.ts';
import {
  deliveryDetails,
  madeWebhook,
  webhook,
  webhookDelivery,
} from '#domain/webhooks/contract.ts';

interface NamedSchema {
  schema: z.ZodObject | typeof citation;
  description: string;
  /** Of the fields whose name does not say everything. */
  fields?: Record<string, string>;
}

const callFields = {
  durationSec: 'Whole seconds; null while the call runs.',
  checklistStateJson: 'Whether each step is ticked, by its id.',
  checklistItems: 'The checklist as it was when the call began.',
  notesSnapshot: 'The shared notes as text.',
  npsScore: 'The newest score given by a member. Customers’ scores are separate.',
  participantsJson: 'Who was in the call.',
  internal: 'Completed without a guest, so it counts in no average.',
  agent: 'Who started it; null if this is no longer known.',
  sample: 'Of a sample room, so it counts in no figure.',
};
const webhookFields = {
  isOfAdmin: 'Whether the member who added or last changed it is still an admin.',
  disabled: '`failing`: nothing was accepted for 24 hours. `gone`: the receiver answered 410.',
  previousSecretUntil: 'Until when the former secret also signs.',
  waitingCount: 'Deliveries that are due or wait for another attempt, counted up to 1000.',
};
const deliveryFields = {
  state: '`gone`: what it was about was deleted before it could be sent.',
  nextTryAt: 'When the next attempt is due.',
};

/** The schemas that the description and generated clients name. Their names never change. */
export const namedSchemas: Record<string, NamedSchema> = {
  Problem: {
    schema: problem,
    description: 'An error (RFC 9457).',
    fields: {
      code: 'Stable, for programs.',
      message: 'A sentence for people.',
      errors: 'Which fields of the request are wrong.',
    },
  },
  Room: {
    schema: room,
    description: 'A permanent room for calls.',
    fields: {
      lobbySince: 'Since when guests wait until they are admitted; null without a lobby.',
      calls: 'The newest calls, at most 20. `callCount` is the number of all.',
      customerEmail: 'Whom the room is for. Absent if it is not set.',
      sample: 'Sample data: no call can be held in it.',
    },
  },
  GuestLink: { schema: guestLink, description: 'The main link by which customers join a room.' },
  NamedLink: {
    schema: namedLink,
    description: 'A link to a room in addition to its main one.',
    fields: {
      expiresAt: 'Null for a link that does not expire.',
      singleUse: 'Admits one guest, who keeps the place across reloads.',
      useCount: 'Guests who joined by it.',
    },
  },
  GuestAccess: {
    schema: guestAccess,
    description: 'When guests may join a room, and what they see while they wait.',
    fields: {
      openingHours: 'Null: guests may join at any time.',
      waitingText: 'Null uses the organization’s text.',
    },
  },
  Playbook: {
    schema: playbook,
    description: 'A checklist for calls.',
    fields: { version: 'Counts the edits. An edit sends the version that it is based on.' },
  },
  ChecklistItem: { schema: checklistItem, description: 'A step of a checklist.' },
  PlaybookUse: {
    schema: playbookUse,
    description: 'How a playbook is used.',
    fields: {
      rooms: 'The newest 50 active rooms that have it.',
      calls: 'The newest calls that steps are counted over, at most 100.',
    },
  },
  Call: { schema: call, description: 'A call in a room.', fields: callFields },
  ListedCall: {
    schema: listedCall,
    description: 'A call in a list.',
    fields: { ...callFields, notesTruncated: '`notesSnapshot` is only the beginning.' },
  },
  CallDetails: {
    schema: callDetails,
    description: 'A call with its attendances and scores.',
    fields: { ...callFields, tickedAt: 'When each ticked step was ticked, by its id.' },
  },
  Attendance: {
    schema: attendance,
    description: 'One attendance of a person in a call. A person who returns has several.',
  },
  Rating: { schema: rating, description: 'A score from 0 to 10 by one person.' },
  ChatMessage: { schema: chatMessage, description: 'A message of a call’s chat.' },
  TranscriptLine: {
    schema: transcriptLine,
    description: 'A phrase of a transcript.',
    fields: {
      startMs: 'Milliseconds after the call’s start.',
      endMs: 'Milliseconds after the call’s start.',
      language: 'BCP 47; null if the speech service does not tell.',
      recognizedText: 'What was recognized, if a member corrected the line.',
    },
  },
  Insights: {
    schema: insights,
    description: 'What was generated about a call. A part is null if the analyzer cannot tell it.',
  },
  Citation: { schema: citation, description: 'What a statement about a call is based on.' },
  ActionItem: {
    schema: storedActionItem,
    description: 'Something that was agreed in a call.',
    fields: {
      dueOn: 'The day on which it is due. `due` has the words of the notes.',
      assigneeId: 'The member whom it is assigned to.',
      isGenerated: 'False for an item that a member added.',
    },
  },
  ActionItemList: { schema: actionItemList, description: 'The action items of a call.' },
  User: { schema: user, description: 'A member of the organization.' },
  Analytics: {
    schema: analytics,
    description: 'Sums and averages of calls.',
    fields: {
      avgDuration: 'Minutes, with one decimal.',
      checklistCompletion: 'Percent of steps ticked, over calls that had a playbook.',
      changes: 'Compared with the period before, like `+12%`; null with nothing to compare.',
      trends: 'Each day (UTC), oldest first.',
    },
  },
  Webhook: {
    schema: webhook,
    description: 'An address to which events are sent.',
    fields: webhookFields,
  },
  CreatedWebhook: {
    schema: madeWebhook,
    description: 'A webhook with its signing secret, which is shown this once.',
    fields: webhookFields,
  },
  WebhookDelivery: {
    schema: webhookDelivery,
    description: 'An event that is sent to a webhook.',
    fields: deliveryFields,
  },
  WebhookDeliveryDetails: {
    schema: deliveryDetails,
    description: 'A delivery with its request and its attempts.',
    fields: deliveryFields,
  },
};

// Generated from the API description by `npm run generate-client`. Do not edit.

/** An error (RFC 9457). */
export interface Problem {
  status: number;
  title: string;
  /** Stable, for programs. */
  code?: string;
  /** A sentence for people. */
  message?: string;
  details?: string;
  /** Which fields of the request are wrong. */
  errors?: Array<{
    path: string;
    message: string;
  }>;
}

/** A permanent room for calls. */
export interface Room {
  id: string;
  topic: string;
  status: "active" | "archived";
  createdAt: string;
  createdBy: {
    firstName: string;
    email: string;
  } | null;
  archivedAt: string | null;
  archivedBy: {
    firstName: string;
    email: string;
  } | null;
  /** Since when guests wait until they are admitted; null without a lobby. */
  lobbySince: string | null;
  playbookId: string | null;
  playbook: {
    id: string;
    title: string;
  } | null;
  /** The newest calls, at most 20. `callCount` is the number of all. */
  calls: Array<{
    id: string;
  }>;
  callCount: number;
  /** Whom the room is for. Absent if it is not set. */
  customerEmail?: string;
  /** Sample data: no call can be held in it. */
  sample?: true;
}

/** The main link by which customers join a room. */
export interface GuestLink {
  url: string;
  createdAt: string;
}

/** A link to a room in addition to its main one. */
export interface NamedLink {
  id: string;
  roomId: string;
  name: string;
  url: string;
  state: "valid" | "expired" | "used" | "revoked";
  createdAt: string;
  createdBy: {
    firstName: string;
    email: string;
  } | null;
  /** Null for a link that does not expire. */
  expiresAt: string | null;
  /** Admits one guest, who keeps the place across reloads. */
  singleUse: boolean;
  /** Guests who joined by it. */
  useCount: number;
  revokedAt: string | null;
}

/** When guests may join a room, and what they see while they wait. */
export interface GuestAccess {
  /** Null: guests may join at any time. */
  openingHours: {
    timeZone: string;
    week: Array<Array<{
      from: string;
      to: string;
    }>>;
    closedDays: string[];
  } | null;
  /** Null uses the organization’s text. */
  waitingText: string | null;
  organizationWaitingText: string | null;
}

/** A checklist for calls. */
export interface Playbook {
  id: string;
  title: string;
  description: string | null;
  checklistItems: ChecklistItem[];
  status: "active" | "archived";
  createdAt: string;
  /** Counts the edits. An edit sends the version that it is based on. */
  version: number;
  updatedAt: string;
  updatedBy: {
    firstName: string;
    email: string;
  } | null;
  archivedAt: string | null;
  archivedBy: {
    firstName: string;
    email: string;
  } | null;
  sample?: true;
}

/** A step of a checklist. */
export interface ChecklistItem {
  id: string;
  text: string;
  order: number;
}

/** How a playbook is used. */
export interface PlaybookUse {
  /** The newest 50 active rooms that have it. */
  rooms: Array<{
    id: string;
    topic: string;
  }>;
  /** The newest calls that steps are counted over, at most 100. */
  calls: number;
  steps: Array<{
    id: string;
    calls: number;
    done: number;
  }>;
}

/** A call in a room. */
export interface Call {
  id: string;
  roomId: string;
  startedAt: string;
  endedAt: string | null;
  /** Whole seconds; null while the call runs. */
  durationSec: number | null;
  /** Whether each step is ticked, by its id. */
  checklistStateJson: Record<string, boolean>;
  /** The checklist as it was when the call began. */
  checklistItems: ChecklistItem[];
  /** The shared notes as text. */
  notesSnapshot: string | null;
  /** The newest score given by a member. Customers’ scores are separate. */
  npsScore: number | null;
  npsFeedback: string | null;
  createdAt: string;
  /** Who was in the call. */
  participantsJson: Array<{
    name: string;
    avatar: string | null;
  }>;
  /** Completed without a guest, so it counts in no average. */
  internal?: true;
  /** Who started it; null if this is no longer known. */
  agent: {
    id: string;
    name: string;
  } | null;
  /** Of a sample room, so it counts in no figure. */
  sample?: true;
  room: {
    topic: string;
  };
}

/** A call in a list. */
export interface ListedCall {
  id: string;
  roomId: string;
  startedAt: string;
  endedAt: string | null;
  /** Whole seconds; null while the call runs. */
  durationSec: number | null;
  /** Whether each step is ticked, by its id. */
  checklistStateJson: Record<string, boolean>;
  /** The checklist as it was when the call began. */
  checklistItems: ChecklistItem[];
  /** The shared notes as text. */
  notesSnapshot: string | null;
  /** The newest score given by a member. Customers’ scores are separate. */
  npsScore: number | null;
  npsFeedback: string | null;
  createdAt: string;
  /** Who was in the call. */
  participantsJson: Array<{
    name: string;
    avatar: string | null;
  }>;
  /** Completed without a guest, so it counts in no average. */
  internal?: true;
  /** Who started it; null if this is no longer known. */
  agent: {
    id: string;
    name: string;
  } | null;
  /** Of a sample room, so it counts in no figure. */
  sample?: true;
  room: {
    topic: string;
  };
  /** `notesSnapshot` is only the beginning. */
  notesTruncated?: true;
}

/** A call with its attendances and scores. */
export interface CallDetails {
  id: string;
  roomId: string;
  startedAt: string;
  endedAt: string | null;
  /** Whole seconds; null while the call runs. */
  durationSec: number | null;
  /** Whether each step is ticked, by its id. */
  checklistStateJson: Record<string, boolean>;
  /** The checklist as it was when the call began. */
  checklistItems: ChecklistItem[];
  /** The shared notes as text. */
  notesSnapshot: string | null;
  /** The newest score given by a member. Customers’ scores are separate. */
  npsScore: number | null;
  npsFeedback: string | null;
  createdAt: string;
  /** Who was in the call. */
  participantsJson: Array<{
    name: string;
    avatar: string | null;
  }>;
  /** Completed without a guest, so it counts in no average. */
  internal?: true;
  /** Who started it; null if this is no longer known. */
  agent: {
    id: string;
    name: string;
  } | null;
  /** Of a sample room, so it counts in no figure. */
  sample?: true;
  room: {
    topic: string;
    status: "active" | "archived";
  };
  playbook: {
    id: string;
    title: string;
  } | null;
  /** When each ticked step was ticked, by its id. */
  tickedAt: Record<string, string>;
  attendances: Attendance[];
  ratings: Rating[];
  legalHold?: true;
}

/** One attendance of a person in a call. A person who returns has several. */
export interface Attendance {
  id: string;
  kind: "staff" | "guest";
  accountId: string | null;
  name: string;
  avatar: string | null;
  joinedAt: string;
  leftAt: string | null;
}

/** A score from 0 to 10 by one person. */
export interface Rating {
  id: string;
  kind: "staff" | "guest";
  name: string | null;
  score: number;
  feedback: string | null;
  ratedAt: string;
}

/** A message of a call’s chat. */
export interface ChatMessage {
  id: string;
  from: string;
  kind: "staff" | "guest";
  name: string;
  text: string;
  sentAt: string;
}

/** A phrase of a transcript. */
export interface TranscriptLine {
  id: string;
  participantId: string;
  name: string;
  kind: "staff" | "guest";
  /** Milliseconds after the call’s start. */
  startMs: number;
  /** Milliseconds after the call’s start. */
  endMs: number;
  /** BCP 47; null if the speech service does not tell. */
  language: string | null;
  text: string;
  /** What was recognized, if a member corrected the line. */
  recognizedText: string | null;
}

/** What was generated about a call. A part is null if the analyzer cannot tell it. */
export interface Insights {
  summary: Array<{
    text: string;
    cites: Citation[];
  }> | null;
  topics: Array<{
    text: string;
    cites: Citation[];
  }> | null;
  questions: Array<{
    text: string;
    cites: Citation[];
    askedBy: string | null;
    isOpen: boolean;
  }> | null;
  talk: Array<{
    participantId: string;
    name: string;
    side: "team" | "customer";
    talkMs: number;
    share: number;
    longestMs: number;
    longestStartMs: number;
  }> | null;
  isPartial: boolean;
}

/** What a statement about a call is based on. */
export type Citation = {
  kind: "line";
  lineId: string;
  startMs: number;
  speaker: string;
  quote: string;
} | {
  kind: "note";
  line: number | null;
  quote: string;
};

/** Something that was agreed in a call. */
export interface ActionItem {
  priority: "high" | "medium" | "low";
  confidence: number;
  title: string;
  description: string;
  owner: string | null;
  due: string | null;
  /** The day on which it is due. `due` has the words of the notes. */
  dueOn: string | null;
  source?: Citation | null;
  id: string;
  callId: string;
  /** The member whom it is assigned to. */
  assigneeId: string | null;
  completedAt: string | null;
  completedBy: string | null;
  /** False for an item that a member added. */
  isGenerated: boolean;
  isEdited: boolean;
}

/** The action items of a call. */
export interface ActionItemList {
  actionItems: ActionItem[];
  generatedAt: string | null;
  analyzer: {
    name: string;
    offline: boolean;
    model?: string;
    insteadOf?: "budget" | "failed";
  } | null;
}

/** A member of the organization. */
export interface User {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  profileImageUrl: string | null;
  role: "SUPERADMIN" | "ORGADMIN" | "AGENT" | "VIEWER" | null;
  orgId: string | null;
}

/** Sums and averages of calls. */
export interface Analytics {
  totalCalls: number;
  /** Minutes, with one decimal. */
  avgDuration: number;
  /** Percent of steps ticked, over calls that had a playbook. */
  checklistCompletion: number;
  averagedCalls: number;
  checklistItems: number;
  avgNpsScore: number | null;
  /** Compared with the period before, like `+12%`; null with nothing to compare. */
  changes: {
    totalCalls: string | null;
    avgDuration: string | null;
    checklistCompletion: string | null;
    avgNpsScore: string | null;
  };
  nps: {
    promoters: number;
    passives: number;
    detractors: number;
    score: number | null;
  };
  /** Each day (UTC), oldest first. */
  trends: Array<{
    date: string;
    calls: number;
    avgDuration: number;
    averagedCalls: number;
  }>;
}

/** An address to which events are sent. */
export interface Webhook {
  id: string;
  url: string;
  description: string;
  events: Array<"room.created" | "room.archived" | "call.started" | "call.ended" | "call.scored" | "call.summary_ready" | "call.transcript_ready" | "action_item.created" | "action_item.updated" | "action_item.completed" | "member.added" | "member.removed" | "invitation.created" | "invitation.accepted">;
  createdAt: string;
  /** Whether the member who added or last changed it is still an admin. */
  isOfAdmin: boolean;
  /** `failing`: nothing was accepted for 24 hours. `gone`: the receiver answered 410. */
  disabled: {
    at: string;
    reason: "member" | "failing" | "gone";
  } | null;
  /** Until when the former secret also signs. */
  previousSecretUntil: string | null;
  /** Deliveries that are due or wait for another attempt, counted up to 1000. */
  waitingCount: number;
}

/** A webhook with its signing secret, which is shown this once. */
export interface CreatedWebhook {
  id: string;
  url: string;
  description: string;
  events: Array<"room.created" | "room.archived" | "call.started" | "call.ended" | "call.scored" | "call.summary_ready" | "call.transcript_ready" | "action_item.created" | "action_item.updated" | "action_item.completed" | "member.added" | "member.removed" | "invitation.created" | "invitation.accepted">;
  createdAt: string;
  /** Whether the member who added or last changed it is still an admin. */
  isOfAdmin: boolean;
  /** `failing`: nothing was accepted for 24 hours. `gone`: the receiver answered 410. */
  disabled: {
    at: string;
    reason: "member" | "failing" | "gone";
  } | null;
  /** Until when the former secret also signs. */
  previousSecretUntil: string | null;
  /** Deliveries that are due or wait for another attempt, counted up to 1000. */
  waitingCount: number;
  secret: string;
}

/** An event that is sent to a webhook. */
export interface WebhookDelivery {
  id: string;
  eventId: string;
  type: "room.created" | "room.archived" | "call.started" | "call.ended" | "call.scored" | "call.summary_ready" | "call.transcript_ready" | "action_item.created" | "action_item.updated" | "action_item.completed" | "member.added" | "member.removed" | "invitation.created" | "invitation.accepted" | "webhook.test";
  createdAt: string;
  /** `gone`: what it was about was deleted before it could be sent. */
  state: "waiting" | "delivered" | "failed" | "gone";
  attempts: number;
  lastStatus: number | null;
  /** When the next attempt is due. */
  nextTryAt: string | null;
}

/** A delivery with its request and its attempts. */
export interface WebhookDeliveryDetails {
  id: string;
  eventId: string;
  type: "room.created" | "room.archived" | "call.started" | "call.ended" | "call.scored" | "call.summary_ready" | "call.transcript_ready" | "action_item.created" | "action_item.updated" | "action_item.completed" | "member.added" | "member.removed" | "invitation.created" | "invitation.accepted" | "webhook.test";
  createdAt: string;
  /** `gone`: what it was about was deleted before it could be sent. */
  state: "waiting" | "delivered" | "failed" | "gone";
  attempts: number;
  lastStatus: number | null;
  /** When the next attempt is due. */
  nextTryAt: string | null;
  request: {
    url: string;
    body: string | null;
  };
  log: Array<{
    id: string;
    at: string;
    durationMs: number;
    status: number | null;
    failure: "unreachable" | "timeout" | "private_target" | "internal" | null;
    response: string | null;
  }>;
}

/** What each operation takes, and the body of its answer. */
export interface Operations {
  /** List rooms. Returns active rooms, newest first. `status=archived` returns archived ones. */
  listRooms: { input: {
    query?: {
      /** Items in a page. */
      limit?: number;
      /** The cursor of the next page, which the answer has. */
      before?: string;
      /** Which of them to list. */
      status?: "active" | "archived";
      /** Matches anywhere in the topic or title. */
      search?: string;
    };
  }; result: Room[] };
  /** Create a room. Creates a room. With `playbookId`, its calls begin with that checklist. With `lobby`, guests wait until a member admits them. */
  createRoom: { input: {
    body: {
      topic: string;
      playbookId?: string;
      lobby?: boolean;
    };
  }; result: Room };
  /** Read a room. Returns one room, active or archived. */
  readRoom: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
  }; result: Room };
  /** Update a room. Changes the fields that are sent. `null` removes the playbook or the customer’s address. Running calls keep their checklist. */
  updateRoom: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
    body: {
      topic?: string;
      playbookId?: string | null;
      lobby?: boolean;
      customerEmail?: string | null;
    };
  }; result: Room };
  /** Archive a room. Removes a room from the list. No one can join it until it is restored. */
  archiveRoom: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
  }; result: Room };
  /** Restore a room. Makes an archived room active again, with its former links. */
  restoreRoom: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
  }; result: Room };
  /** Read the guest link of a room. Returns the main link by which customers join. It does not expire. */
  readGuestLink: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
  }; result: GuestLink };
  /** Replace the guest link of a room. Creates a new main link. The former one stops working immediately. */
  renewGuestLink: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
  }; result: GuestLink };
  /** List named guest links. Returns the links of a room in addition to its main one, newest first. */
  listLinks: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
    query?: {
      /** Items in a page. */
      limit?: number;
      /** The cursor of the next page, which the answer has. */
      before?: string;
    };
  }; result: NamedLink[] };
  /** Create a named guest link. Creates another link to a room. It can expire, at a time or after a number of days, and it can be for one guest only. */
  createLink: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
    body: {
      name: string;
      expiresAt?: string;
      expiresInDays?: number;
      singleUse?: boolean;
    };
  }; result: NamedLink };
  /** Revoke a named guest link. Ends a link immediately. It stays in the list as revoked. */
  revokeLink: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
  }; result: NamedLink };
  /** Read guest access. Returns the opening hours of a room and the text that waiting guests see. */
  readGuestAccess: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
  }; result: GuestAccess };
  /** Change guest access. Changes opening hours or the waiting text; `null` removes one. Running calls are not interrupted. */
  changeGuestAccess: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
    body: {
      openingHours?: {
        timeZone: string;
        week: Array<Array<{
          from: string;
          to: string;
        }>>;
        closedDays: string[];
      } | null;
      waitingText?: string | null;
    };
  }; result: GuestAccess };
  /** Create an embed token. Creates a token with which one person of your product joins a room in a frame. It admits once, within minutes. Takes a token of the organization. */
  mintEmbedToken: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
    body: {
      displayName: string;
      externalId?: string;
      role?: "guest";
      admitted?: boolean;
    };
  }; result: {
    token: string;
    expiresAt: string;
  } };
  /** List calls. Returns calls, newest first, or filtered and in another order. Long notes are cut and marked by `notesTruncated`. */
  listCalls: { input: {
    query?: {
      /** Items in a page. */
      limit?: number;
      /** The cursor of the next page, which the answer has. */
      before?: string;
      /** Only of this room. */
      roomId?: string;
      /** Only calls with this playbook. */
      playbookId?: string;
      /** Only calls that this member started. */
      agentId?: string;
      /** The first day, UTC. */
      from?: string;
      /** The last day, UTC. */
      to?: string;
      /** By Net Promoter Score: 9 and 10, 7 and 8, 0 to 6, or without a score. */
      score?: "promoters" | "passives" | "detractors" | "none";
      /** Completed calls with or without a guest. */
      guests?: "with" | "without";
      /** Matches anywhere in the topic or title. */
      search?: string;
      /** The order; `newest` if absent. */
      sort?: "newest" | "oldest" | "longest" | "shortest" | "highest" | "lowest";
      /** Part of the cursor of a sorted list, which the `Link` header has. */
      beforeKey?: string;
    };
  }; result: ListedCall[] };
  /** Start a call. Starts a call in a room, answered with 201. If one is running there, that one is answered with 200. */
  startCall: { input: {
    body: {
      roomId: string;
      startedAt?: string;
    };
  }; result: Call };
  /** Count calls. Returns how many calls match a filter. `isExact` is false if `search` finds more than 50 rooms, of which the newest 50 count. */
  countCalls: { input: {
    query?: {
      /** Only of this room. */
      roomId?: string;
      /** Only calls with this playbook. */
      playbookId?: string;
      /** Only calls that this member started. */
      agentId?: string;
      /** The first day, UTC. */
      from?: string;
      /** The last day, UTC. */
      to?: string;
      /** By Net Promoter Score: 9 and 10, 7 and 8, 0 to 6, or without a score. */
      score?: "promoters" | "passives" | "detractors" | "none";
      /** Completed calls with or without a guest. */
      guests?: "with" | "without";
      /** Matches anywhere in the topic or title. */
      search?: string;
      /** The order; `newest` if absent. */
      sort?: "newest" | "oldest" | "longest" | "shortest" | "highest" | "lowest";
    };
  }; result: {
    total: number;
    isExact: boolean;
  } };
  /** Read a call. Returns a call with its attendances, scores, checklist, and notes. */
  readCall: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
  }; result: CallDetails };
  /** Update or end a call. Changes the fields that are sent: ticks, notes, or the score. `endedAt` ends the call; while other members are in it, this takes `endForEveryone`. */
  updateCall: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
    body: {
      endedAt?: string;
      durationSec?: number;
      endForEveryone?: boolean;
      checklistStateJson?: Record<string, boolean>;
      checklistChanges?: Record<string, boolean>;
      notesSnapshot?: string;
      notesUpdate?: string;
      npsScore?: number;
      npsFeedback?: string;
    };
  }; result: Call };
  /** Add a checklist step. Adds a step to the checklist of a running call. The playbook does not change. */
  addChecklistItem: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
    body: {
      text: string;
    };
  }; result: ChecklistItem };
  /** Choose the playbook of a call. Gives a running call without a playbook one, and also its room if it has none. */
  choosePlaybook: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
    body: {
      playbookId: string;
    };
  }; result: Call };
  /** Read the chat of a call. Returns the newest 200 messages, oldest first. */
  readChat: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
  }; result: ChatMessage[] };
  /** Read the transcript of a call. Returns what was said, in order, up to 1000 lines. Send `next` as `after` to get the following lines. There is a transcript only if participants agreed. */
  getTranscript: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
    query?: {
      /** The cursor of the next page: `next` of the answer. */
      after?: string;
      /** Items in a page. */
      limit?: number;
    };
  }; result: {
    state: "none" | "live" | "ready" | "failed";
    lines: TranscriptLine[];
    missingPhrases: number;
    next: string | null;
  } };
  /** Read the insights of a call. Returns summary, topics, questions, and talk shares. Each statement names the lines that it is based on. */
  readInsights: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
  }; result: {
    state: "none" | "working" | "ready" | "empty" | "failed";
    insights: Insights | null;
    analyzer: {
      name: string;
      offline: boolean;
      model?: string;
      insteadOf?: "budget" | "failed";
    } | null;
    generatedAt: string | null;
  } };
  /** Search calls. Finds words in transcripts, chats, notes, action items, and insights. Send `next` as `before` to get the following calls. */
  searchCalls: { input: {
    query: {
      /** Words that must occur together; words in quotation marks must follow each other. */
      q: string;
      /** Words of the name of the person who said or wrote it. */
      speaker?: string;
      /** Only of this room. */
      roomId?: string;
      /** Only calls with this playbook. */
      playbookId?: string;
      /** Only calls that this member started. */
      agentId?: string;
      /** The first day, UTC. */
      from?: string;
      /** The last day, UTC. */
      to?: string;
      /** By Net Promoter Score: 9 and 10, 7 and 8, 0 to 6, or without a score. */
      score?: "promoters" | "passives" | "detractors" | "none";
      /** Completed calls with or without a guest. */
      guests?: "with" | "without";
      /** Only this call, with up to 200 hits. */
      callId?: string;
      /** Words are not corrected. */
      exact?: "true";
      /** The cursor of the next page, which the answer has. */
      before?: string;
    };
  }; result: {
    calls: Array<{
      id: string;
      startedAt: string;
      durationSec: number | null;
      room: {
        id: string;
        topic: string;
      };
      agent: {
        id: string;
        name: string;
      } | null;
      sample?: true;
      hits: Array<{
        kind: "line" | "chat" | "note" | "action" | "insight";
        speaker: string | null;
        startMs: number | null;
        text: string;
        marks: Array<{
          from: number;
          to: number;
        }>;
      }>;
      hasMore: boolean;
    }>;
    corrected: {
      q: string;
      words: string[];
    } | null;
    next: string | null;
  } };
  /** List the action items of a call. Returns open items first, in the order of the notes. */
  listActionItems: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
  }; result: ActionItemList };
  /** Add an action item. Adds an item to a call. Generating items again keeps it. */
  addActionItem: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
    body: {
      title: string;
      description?: string;
      priority?: "high" | "medium" | "low";
      owner?: string | null;
      assigneeId?: string | null;
      dueOn?: string | null;
    };
  }; result: ActionItem };
  /** List the open action items of a room. Returns the open items of the newest 100 calls of a room, newest call first. */
  listOpenActionItems: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
  }; result: ActionItem[] };
  /** Read an action item. Returns an item, with the ETag that `If-Match` compares. */
  readActionItem: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
  }; result: ActionItem };
  /** Update an action item. Changes the fields that are sent. `isCompleted` completes or reopens it, and `assigneeId` assigns it to a member. */
  updateActionItem: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
    body: {
      title?: string;
      description?: string;
      priority?: "high" | "medium" | "low";
      owner?: string | null;
      assigneeId?: string | null;
      dueOn?: string | null;
      isCompleted?: boolean;
    };
  }; result: ActionItem };
  /** Delete an action item. Deletes an item. Generating items again does not bring it back. */
  deleteActionItem: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
  }; result: undefined };
  /** List playbooks. Returns active playbooks, newest first. `status=archived` returns archived ones. */
  listPlaybooks: { input: {
    query?: {
      /** Items in a page. */
      limit?: number;
      /** The cursor of the next page, which the answer has. */
      before?: string;
      /** Which of them to list. */
      status?: "active" | "archived";
      /** Matches anywhere in the topic or title. */
      search?: string;
    };
  }; result: Playbook[] };
  /** Create a playbook. Creates a playbook with up to 200 steps, in the order of the array. */
  createPlaybook: { input: {
    body: {
      title: string;
      description?: string;
      checklistItems: Array<{
        text: string;
      }>;
    };
  }; result: Playbook };
  /** Read a playbook. Returns one playbook, active or archived, with its `version`. */
  readPlaybook: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
  }; result: Playbook };
  /** Replace a playbook. Replaces title and steps. `version` is the one that you read; if it is no longer the newest, the answer is 409. Steps that stay keep their `id`. Calls keep the checklist that they began with. */
  updatePlaybook: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
    body: {
      title: string;
      description?: string;
      checklistItems: Array<{
        id?: string;
        text: string;
      }>;
      version: number;
    };
  }; result: Playbook };
  /** Read how a playbook is used. Returns the rooms that have it, and how often each step was done lately. */
  readPlaybookUse: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
  }; result: PlaybookUse };
  /** Archive a playbook. Rooms that have it keep it, and others can no longer choose it. */
  archivePlaybook: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
  }; result: Playbook };
  /** Restore a playbook. Makes an archived playbook active again. */
  restorePlaybook: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
  }; result: Playbook };
  /** List members. Returns the members of the organization, by name. */
  listUsers: { input: {
    query?: {
      /** Items in a page. */
      limit?: number;
      /** The cursor of the next page, which the answer has. */
      before?: string;
    };
  }; result: User[] };
  /** Read analytics. Returns the figures of the analytics page, over all calls or those of a filter. Averages are over completed calls with a guest. */
  readAnalytics: { input: {
    query?: {
      /** Only of this room. */
      roomId?: string;
      /** Only calls with this playbook. */
      playbookId?: string;
      /** Only calls that this member started. */
      agentId?: string;
      /** The first day, UTC. */
      from?: string;
      /** The last day, UTC. */
      to?: string;
    };
  }; result: Analytics };
  /** List webhooks. Returns all webhooks of the organization, at most 20, oldest first. */
  listWebhooks: { input: {}; result: Webhook[] };
  /** Subscribe to events. Creates a webhook. The answer contains the signing secret, which is shown this once. */
  createWebhook: { input: {
    body: {
      url: string;
      description?: string;
      events: Array<"room.created" | "room.archived" | "call.started" | "call.ended" | "call.scored" | "call.summary_ready" | "call.transcript_ready" | "action_item.created" | "action_item.updated" | "action_item.completed" | "member.added" | "member.removed" | "invitation.created" | "invitation.accepted">;
    };
  }; result: CreatedWebhook };
  /** Update a webhook. Changes the fields that are sent. `isEnabled` disables or enables it; deliveries that wait for a disabled webhook are not sent. */
  updateWebhook: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
    body: {
      url?: string;
      description?: string;
      events?: Array<"room.created" | "room.archived" | "call.started" | "call.ended" | "call.scored" | "call.summary_ready" | "call.transcript_ready" | "action_item.created" | "action_item.updated" | "action_item.completed" | "member.added" | "member.removed" | "invitation.created" | "invitation.accepted">;
      isEnabled?: boolean;
    };
  }; result: Webhook };
  /** Unsubscribe. Deletes a webhook and its deliveries. */
  deleteWebhook: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
  }; result: undefined };
  /** Rotate the signing secret. Creates a new secret. The former one also signs for 24 hours. */
  rotateWebhookSecret: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
  }; result: CreatedWebhook };
  /** Send a test event. Sends `webhook.test` to a webhook, whatever it subscribes to. */
  testWebhook: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
  }; result: WebhookDelivery };
  /** List deliveries. Returns what was sent in the last 30 days, newest first. */
  listWebhookDeliveries: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
    query?: {
      /** Items in a page. */
      limit?: number;
      /** The cursor of the next page, which the answer has. */
      before?: string;
    };
  }; result: WebhookDelivery[] };
  /** Read a delivery. Returns the request and the answer to each attempt, at most the newest 50. */
  readWebhookDelivery: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
  }; result: WebhookDeliveryDetails };
  /** Replay a delivery. Sends an event again, with the same id and its present data. */
  replayWebhookDelivery: { input: {
    params: {
      /** The id of the object. */
      id: string;
    };
  }; result: WebhookDelivery };
}

export type OperationName = keyof Operations;

/** The lists whose `Link` header leads to further pages. */
export type PagedOperation = 'listRooms' | 'listLinks' | 'listCalls' | 'listPlaybooks' | 'listUsers' | 'listWebhookDeliveries';

export const operations: Record<OperationName, { method: string; path: string }> = {
  listRooms: { method: 'GET', path: '/api/rooms' },
  createRoom: { method: 'POST', path: '/api/rooms' },
  readRoom: { method: 'GET', path: '/api/rooms/{id}/summary' },
  updateRoom: { method: 'PATCH', path: '/api/rooms/{id}' },
  archiveRoom: { method: 'PUT', path: '/api/rooms/{id}/archive' },
  restoreRoom: { method: 'DELETE', path: '/api/rooms/{id}/archive' },
  readGuestLink: { method: 'GET', path: '/api/rooms/{id}/guest-link' },
  renewGuestLink: { method: 'POST', path: '/api/rooms/{id}/guest-link' },
  listLinks: { method: 'GET', path: '/api/rooms/{id}/guest-links' },
  createLink: { method: 'POST', path: '/api/rooms/{id}/guest-links' },
  revokeLink: { method: 'DELETE', path: '/api/guest-links/{id}' },
  readGuestAccess: { method: 'GET', path: '/api/rooms/{id}/guest-access' },
  changeGuestAccess: { method: 'PUT', path: '/api/rooms/{id}/guest-access' },
  mintEmbedToken: { method: 'POST', path: '/api/rooms/{id}/embed-tokens' },
  listCalls: { method: 'GET', path: '/api/calls' },
  startCall: { method: 'POST', path: '/api/calls' },
  countCalls: { method: 'GET', path: '/api/call-count' },
  readCall: { method: 'GET', path: '/api/calls/{id}' },
  updateCall: { method: 'PUT', path: '/api/calls/{id}' },
  addChecklistItem: { method: 'POST', path: '/api/calls/{id}/checklist-items' },
  choosePlaybook: { method: 'PUT', path: '/api/calls/{id}/playbook' },
  readChat: { method: 'GET', path: '/api/calls/{id}/chat' },
  getTranscript: { method: 'GET', path: '/api/calls/{id}/transcript' },
  readInsights: { method: 'GET', path: '/api/calls/{id}/insights' },
  searchCalls: { method: 'GET', path: '/api/search' },
  listActionItems: { method: 'GET', path: '/api/calls/{id}/action-items' },
  addActionItem: { method: 'POST', path: '/api/calls/{id}/action-items' },
  listOpenActionItems: { method: 'GET', path: '/api/rooms/{id}/action-items' },
  readActionItem: { method: 'GET', path: '/api/action-items/{id}' },
  updateActionItem: { method: 'PATCH', path: '/api/action-items/{id}' },
  deleteActionItem: { method: 'DELETE', path: '/api/action-items/{id}' },
  listPlaybooks: { method: 'GET', path: '/api/playbooks' },
  createPlaybook: { method: 'POST', path: '/api/playbooks' },
  readPlaybook: { method: 'GET', path: '/api/playbooks/{id}' },
  updatePlaybook: { method: 'PUT', path: '/api/playbooks/{id}' },
  readPlaybookUse: { method: 'GET', path: '/api/playbooks/{id}/use' },
  archivePlaybook: { method: 'PUT', path: '/api/playbooks/{id}/archive' },
  restorePlaybook: { method: 'DELETE', path: '/api/playbooks/{id}/archive' },
  listUsers: { method: 'GET', path: '/api/users' },
  readAnalytics: { method: 'GET', path: '/api/analytics' },
  listWebhooks: { method: 'GET', path: '/api/webhooks' },
  createWebhook: { method: 'POST', path: '/api/webhooks' },
  updateWebhook: { method: 'PATCH', path: '/api/webhooks/{id}' },
  deleteWebhook: { method: 'DELETE', path: '/api/webhooks/{id}' },
  rotateWebhookSecret: { method: 'POST', path: '/api/webhooks/{id}/secret' },
  testWebhook: { method: 'POST', path: '/api/webhooks/{id}/test' },
  listWebhookDeliveries: { method: 'GET', path: '/api/webhooks/{id}/deliveries' },
  readWebhookDelivery: { method: 'GET', path: '/api/webhook-deliveries/{id}' },
  replayWebhookDelivery: { method: 'POST', path: '/api/webhook-deliveries/{id}/replay' },
};

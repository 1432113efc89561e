/** A participant of a call. Pages around the frame learn nothing but the name that everyone in the call sees. */
export interface RapportParticipant {
  id: string;
  name: string;
}

/** What the events of `<rapport-room>` contain in `detail`. */
export interface RapportRoomEvents {
  /** The person waits in the lobby until a host admits them. */
  waiting: null;
  /** The person is in the call, with these others. */
  joined: { participants: RapportParticipant[] };
  /** `left`, `callEnded`, `removed`, and others: why the person is no longer in the call. */
  left: { reason: string };
  participantjoined: RapportParticipant;
  participantleft: RapportParticipant;
  /** Whether the person’s microphone is on: initially, and at each change. */
  microphone: { on: boolean };
  /** The call cannot be shown or joined. */
  error: { code: string; message: string };
}

import { closeCodes } from '#domain/calls/close-codes.ts';
import { type Call, readCall, startCall } from '#domain/calls/contract.ts';
import type { ToBrowser } from '#domain/calls/live.ts';
import { type CallId, callId } from '#domain/ids.ts';
import { type OpenedRoom, openRoom } from '#domain/rooms/contract.ts';
import { CallEdits } from '#web/calls/call-edits.ts';
import { sendLeftBehind } from '#web/calls/left-behind.ts';
import { openPanelSocket, type PanelSocketOptions } from '#web/calls/panel-socket.ts';
import { endCall, put } from '#web/calls/put-call.ts';
import { sendWithTime } from '#web/calls/send-with-time.ts';
import type { UnsavedEditsStore } from '#web/calls/unsaved-edits.ts';
import type { ConnectionStatus } from '#web/live/live-socket.ts';
import { emptyRoster, nextRoster, othersInMeeting, type Roster } from '#web/live/roster.ts';
import { WritableStore } from '#web/live/store.ts';
import { ApiError, isRefusedForGood, request } from '#web/platform/api.ts';
import { redirectWhenUnauthorized } from '#web/platform/unauthorized.ts';

export interface RunningCall {
  id: CallId;
  /** When the first person joined the meeting; until then, when the call was created. */
  startedAt: string;
  /** Whether someone has joined the meeting, or it cannot be known; null until the server has told. */
  joined: boolean | null;
}

export interface SessionState {
  /** `over` once this person has left or the call has ended. */
  phase: 'waiting' | 'running' | 'over';
  /** Why it is over. */
  ending: 'left' | 'ended' | null;
  call: RunningCall | null;
  items: Call['checklistItems'];
  /** The stored notes as text, shown until the shared notes have arrived. */
  storedNotes: string;
  link: ConnectionStatus;
  roster: Roster;
  startFailure: unknown;
}

export interface SessionOptions {
  room: OpenedRoom;
  /** Whether this person may start calls, tick and write; a VIEWER only reads along. */
  mayEdit: boolean;
  unsaved: UnsavedEditsStore;
  openWebSocket: PanelSocketOptions['openWebSocket'];
  newId: () => string;
  onFailure: (what: 'start' | 'update', error: unknown) => void;
  /** Called when this person's leaving has ended the call. */
  onEnded?: (call: Call) => void;
}

type Item = Call['checklistItems'][number];
const retryMs = 3000;

/** One person's part in a room's call, outside React: its record, its socket and its end. */
export class CallSession extends WritableStore<SessionState> {
  readonly edits: CallEdits;
  /** As the meeting page reports it: a lost connection would show there. */
  mediaArrives = false;
  /** Characters of the call's transcript since this page was opened. */
  transcribed = 0;
  readonly #options: SessionOptions;
  #socket: ReturnType<typeof openPanelSocket> | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(options: SessionOptions) {
    const { room, unsaved, newId, onFailure } = options;
    super({
      phase: 'waiting',
      ending: null,
      call: null,
      items: room.playbook?.checklistItems ?? [],
      storedNotes: '',
      link: 'connecting',
      roster: emptyRoster,
      startFailure: null,
    });
    this.#options = options;
    this.edits = new CallEdits({
      roomId: room.id,
      unsaved,
      newId,
      send: (message) => this.#socket?.send(message) ?? false,
      put,
      onRefused: (message) => onFailure('update', new Error(message)),
    });
  }

  /** Starts the call's record and opens the panel's socket in parallel. */
  open(): void {
    if (this.#options.mayEdit) this.start();
    this.#socket = openPanelSocket({
      token: this.#options.room.panelToken ?? this.#options.room.meetingToken,
      openWebSocket: this.#options.openWebSocket,
      onMessage: (message) => this.#receive(message),
      onState: (link) => this.#linkIs(link),
      onRefused: (code) => void this.#lineRefused(code),
      isCalm: () => this.mediaArrives,
    });
  }

  /** Creates the call, or joins the running one. A failure shows until an attempt succeeds. */
  start(): void {
    const { room } = this.#options;
    clearTimeout(this.#retry);
    sendWithTime((now) =>
      request(startCall, { body: { roomId: room.id, startedAt: new Date(now).toISOString() } }),
    ).then(
      (started) => this.#started(started),
      (error: unknown) => this.#startFailed(error),
    );
  }

  /** Retries only failures that may pass without action. A refusal waits for the person's answer. */
  #startFailed(error: unknown): void {
    if (this.#closed) return;
    redirectWhenUnauthorized(error);
    const isFirst = this.getSnapshot().startFailure === null;
    this.update({ startFailure: error });
    if (isFirst || isRefusedForGood(error)) this.#options.onFailure('start', error);
    if (!isRefusedForGood(error)) this.#later(() => this.start());
  }

  networkIs(there: boolean): void {
    if (there) this.#socket?.hurry();
    else this.#socket?.drop();
  }

  /**
   * Ends this person's part, or the call for everyone. Guests stay in the call, which ends with the last of them.
   * Resolves when the server has answered.
   */
  async leave(forEveryone: boolean): Promise<void> {
    const { call: running, roster } = this.getSnapshot();
    this.update({ phase: 'over', ending: 'left' });
    const stays =
      running?.joined === false || othersInMeeting(roster).some(({ kind }) => kind === 'guest');
    try {
      if (running && this.#options.mayEdit && (forEveryone || !stays))
        await this.#end(running, forEveryone);
      else {
        await this.edits.finish();
        this.#socket?.send({ type: 'leave' });
      }
    } catch (error) {
      this.#options.onFailure('update', error);
    }
    this.close();
  }

  async #end({ id, startedAt }: RunningCall, forEveryone: boolean): Promise<void> {
    await this.edits.finish();
    const ended = await endCall({ id, startedAt }, forEveryone);
    if (ended.endedAt) this.#options.onEnded?.(ended);
  }

  /** The page is left without leaving the call: unsaved edits stay in the browser. */
  close(): void {
    this.#closed = true;
    this.edits.close();
    this.#socket?.close();
    clearTimeout(this.#retry);
  }

  #receive(message: ToBrowser): void {
    const roster = nextRoster(this.getSnapshot().roster, message);
    if (roster !== this.getSnapshot().roster) this.update({ roster });
    if (
      message.type === 'welcome' ||
      message.type === 'call-started' ||
      message.type === 'call-changed'
    )
      this.#callIs(message.call);
    else if (message.type === 'transcribed') this.transcribed += message.characters;
    else if (message.type === 'call-ended') this.#endedOnServer(message.callId);
    else this.edits.receive(message);
    if (message.type === 'checklist') this.#learnItems(message.items);
  }

  /** The server reports on the socket which call runs. */
  #callIs(running: (Omit<RunningCall, 'id'> & { id: string }) | null): void {
    const { call: known } = this.getSnapshot();
    const id = callId.safeParse(running?.id).data;
    if (running && id && (known === null || known.id === id)) {
      const { startedAt, joined } = running;
      if (known === null) this.#begin({ id, startedAt, joined });
      else if (known.joined !== true) this.update({ call: { id, startedAt, joined } });
      if (!this.#options.mayEdit) void this.#readItems(id);
      this.edits.connected();
    } else if (known) void this.#askWhetherOver(known.id);
  }

  #started(started: Call): void {
    if (this.#closed) return;
    const { id, startedAt, checklistItems, checklistStateJson, notesSnapshot } = started;
    const storedNotes = notesSnapshot ?? '';
    this.update({ items: checklistItems, storedNotes, startFailure: null });
    const checks = Object.entries(checklistStateJson);
    this.edits.checklist.receive(
      checks.map(([itemId, checked]) => ({ itemId, checked: checked === true })),
    );
    if (this.getSnapshot().call === null) this.#begin({ id, startedAt, joined: null });
  }

  #begin(running: RunningCall): void {
    const { unsaved, mayEdit } = this.#options;
    this.edits.begin(running.id, mayEdit);
    this.update({ call: running, phase: 'running' });
    void sendLeftBehind(unsaved, running.id);
  }

  #linkIs(link: ConnectionStatus): void {
    this.update({ link });
    if (link === 'lost') this.edits.disconnected();
  }

  /** The socket is refused with this token: requests another token, or accepts that the call is over. */
  async #lineRefused(code: number): Promise<void> {
    const { call: running } = this.getSnapshot();
    this.#linkIs('lost');
    if (code === closeCodes.callEnded && running) {
      await this.#askWhetherOver(running.id);
      // The call goes on: this person has left it in another window.
      if (this.getSnapshot().phase !== 'over') this.#over('left');
      return;
    }
    if (code !== closeCodes.tokenRefused || this.#closed) return;
    try {
      const room = await request(openRoom, { params: { id: this.#options.room.id } });
      if (!this.#closed) this.#socket?.renew(room.panelToken ?? room.meetingToken);
    } catch (error) {
      redirectWhenUnauthorized(error);
      if (!isRefusedForGood(error)) this.#later(() => void this.#lineRefused(code));
    }
  }

  async #askWhetherOver(id: CallId): Promise<void> {
    try {
      const { endedAt } = await request(readCall, { params: { id } });
      if (endedAt) this.#ended(id);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) this.#removed(id);
    }
  }

  /** A call that no one had joined is removed instead. */
  #endedOnServer(id: string): void {
    const { call: known } = this.getSnapshot();
    if (known?.id === id && known.joined !== true) void this.#askWhetherOver(known.id);
    else this.#ended(id);
  }

  #ended(id: string): void {
    const { call: running, phase } = this.getSnapshot();
    if (running?.id === id && phase !== 'over') this.#over('ended');
  }

  /** The call that no one had joined was removed, for example while this computer slept. */
  #removed(id: CallId): void {
    const { call: known, phase } = this.getSnapshot();
    if (known?.id !== id || phase === 'over') return;
    this.edits.disconnected();
    this.update({ call: null, phase: 'waiting' });
    if (this.#options.mayEdit) this.start();
  }

  #over(ending: 'left' | 'ended'): void {
    this.update({ phase: 'over', ending });
    void this.edits.finish().finally(() => this.close());
  }

  /** A step that was added on this page. */
  addItem(item: Item): void {
    const { items } = this.getSnapshot();
    if (!items.some(({ id }) => id === item.id)) this.update({ items: [...items, item] });
  }

  showItems(items: readonly Item[]): void {
    this.update({ items: [...items] });
  }

  /** Reads the call again if another page has added steps to its checklist. */
  #learnItems(states: readonly { itemId: string }[]): void {
    const { call: running, items } = this.getSnapshot();
    const known = new Set<string>(items.map(({ id }) => id));
    if (running && states.some(({ itemId }) => !known.has(itemId)))
      void this.#readItems(running.id);
  }

  async #readItems(id: CallId): Promise<void> {
    const found = await request(readCall, { params: { id } }).catch(() => null);
    if (found) this.update({ items: found.checklistItems });
  }

  #later(act: () => void): void {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(act, retryMs);
  }
}

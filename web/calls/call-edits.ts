import type { UpdateCallBody } from '#domain/calls/contract.ts';
import type { ToBrowser, ToServer } from '#domain/calls/live.ts';
import type { CallId } from '#domain/ids.ts';
import { Checklist } from '#web/calls/checklist.ts';
import { saveChecks } from '#web/calls/left-behind.ts';
import { NotesDoc } from '#web/calls/notes-doc.ts';
import { NotesSaver } from '#web/calls/notes-saver.ts';
import type { EditsPlace, UnsavedEditsStore } from '#web/calls/unsaved-edits.ts';
import { refusalText } from '#web/platform/texts.ts';

export interface CallEditsOptions {
  roomId: string;
  unsaved: UnsavedEditsStore;
  newId: () => string;
  /** Returns false if the message was not sent. */
  send: (message: ToServer) => boolean;
  put: (id: CallId, body: UpdateCallBody) => Promise<unknown>;
  onRefused: (message: string) => void;
}

const checkPatienceMs = 1000;

/** The ticks and notes of one call. None of them is lost. */
export class CallEdits {
  readonly notes: NotesDoc;
  readonly checklist: Checklist;
  readonly #options: CallEditsOptions;
  #saver: NotesSaver | null = null;
  #place: EditsPlace;
  #callId: CallId | null = null;
  /** The server has confirmed on the socket that the call runs; before that it would refuse an edit. */
  #ready = false;
  #checkTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: CallEditsOptions) {
    const { roomId, unsaved, newId } = options;
    this.#options = options;
    this.#place = `room:${roomId}`;
    const send = (message: ToServer) => this.#ready && options.send(message);
    this.notes = new NotesDoc({
      send,
      newId,
      keep: (update) => unsaved.keep(this.#place, 'notes', update ?? undefined),
    });
    this.checklist = new Checklist({
      send,
      newId,
      keep: (checks) => unsaved.keep(this.#place, 'checks', checks ?? undefined),
    });
    this.#restore(this.#place);
  }

  /** From now on edits belong to this call, including those entered before the call was known. */
  begin(id: CallId, mayEdit: boolean): void {
    const before = this.#place;
    this.#callId = id;
    this.#place = `call:${id}`;
    this.#restore(this.#place);
    this.#restore(before);
    this.#options.unsaved.remove(before);
    this.#saver?.stop();
    if (!mayEdit) return;
    this.#saver = new NotesSaver(this.notes, (body) => this.#options.put(id, body));
    if (this.checklist.hasUnsaved) this.#saveChecksLater();
  }

  /** The socket is open, and the server knows the call. */
  connected(): void {
    this.#ready = true;
    this.checklist.connected();
    this.notes.connected();
  }

  disconnected(): void {
    this.#ready = false;
    this.notes.disconnected();
    if (this.checklist.hasUnsaved) this.#saveChecksLater();
  }

  check(itemId: string, checked: boolean): void {
    this.checklist.check(itemId, checked);
    if (!this.#ready) this.#saveChecksLater();
  }

  receive(message: ToBrowser): void {
    switch (message.type) {
      case 'checklist':
        this.checklist.receive(message.items);
        break;
      case 'checked':
        this.checklist.receive([message]);
        break;
      case 'note':
        if (message.callId === this.#callId) this.notes.receive(message);
        break;
      case 'saved':
        this.notes.saved(message.id, message.savedAt);
        this.checklist.saved(message.id);
        break;
      case 'refused':
        this.#refused(message);
    }
  }

  /** Saves by request what the socket has not sent. What fails stays in the browser. */
  async finish(): Promise<void> {
    await this.#saver?.finish();
    await this.#saveChecks().catch(() => {});
    this.close();
  }

  close(): void {
    this.notes.flush();
    this.#saver?.stop();
    clearTimeout(this.#checkTimer);
  }

  #refused({ id, code, message: sentence }: Extract<ToBrowser, { type: 'refused' }>): void {
    const message = refusalText(code, sentence);
    if (id === undefined || this.notes.refused(id, message)) return;
    if (this.checklist.refused(id)) this.#options.onRefused(message);
  }

  #restore(place: EditsPlace): void {
    const { notes, checks } = this.#options.unsaved.read(place);
    if (notes) this.notes.restore(notes);
    if (checks) this.checklist.restore(checks);
  }

  /** Without a socket, saves the ticks by request and retries until they are stored. */
  #saveChecksLater(): void {
    clearTimeout(this.#checkTimer);
    this.#checkTimer = setTimeout(() => {
      if (this.#ready) return;
      this.#saveChecks().catch(() => this.#saveChecksLater());
    }, checkPatienceMs);
  }

  async #saveChecks(): Promise<void> {
    const { unsaved, hasUnsaved } = this.checklist;
    if (this.#callId === null || !hasUnsaved) return;
    await saveChecks(this.#callId, unsaved);
    this.checklist.savedOtherwise(unsaved);
  }
}

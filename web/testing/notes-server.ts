import * as Y from 'yjs';
import type { ToServer } from '#domain/calls/live.ts';
import { fromBase64, toBase64 } from '#web/calls/base64.ts';
import { NotesDoc } from '#web/calls/notes-doc.ts';

/** The server side of shared notes: merges updates, and sends them to every other connected page. */
export class NotesServer {
  readonly doc = new Y.Doc();
  readonly heard: ToServer[] = [];
  /** Stores updates but sends no answer, like a socket that breaks at that moment. */
  isMute = false;
  readonly #pages = new Set<Page>();

  get text(): string {
    return this.doc.getText('notes').toString();
  }

  hear(from: Page, message: ToServer): boolean {
    if (!this.#pages.has(from)) return false;
    this.heard.push(message);
    if (message.type === 'note') this.#store(from, message);
    if (message.type === 'notes-since' && !this.isMute)
      from.notes.receive({
        update: toBase64(Y.encodeStateAsUpdate(this.doc, fromBase64(message.vector))),
        vector: toBase64(Y.encodeStateVector(this.doc)),
      });
    return true;
  }

  join(page: Page): void {
    this.#pages.add(page);
    page.notes.connected();
  }

  drop(page: Page): void {
    this.#pages.delete(page);
    page.notes.disconnected();
  }

  #store(from: Page, { id, update }: Extract<ToServer, { type: 'note' }>): void {
    Y.applyUpdate(this.doc, fromBase64(update));
    if (this.isMute) return;
    from.notes.saved(id, '2026-03-04T10:00:00Z');
    for (const page of this.#pages) if (page !== from) page.notes.receive({ update });
  }
}

/** A page with notes open. `kept` is what its browser stores of them. */
export class Page {
  kept: string | null;
  readonly notes: NotesDoc;
  #ids = 0;

  constructor(server: NotesServer, kept: string | null = null) {
    this.kept = kept;
    this.notes = new NotesDoc({
      send: (message) => server.hear(this, message),
      newId: () => {
        this.#ids += 1;
        return `${this.#ids}`;
      },
      keep: (update) => {
        this.kept = update;
      },
    });
    if (kept) this.notes.restore(kept);
  }

  type(text: string, start = this.notes.text.length): void {
    this.notes.edit({ start, removed: 0, inserted: text });
  }
}

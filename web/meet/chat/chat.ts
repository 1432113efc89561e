import type { ChatMessage, ToBrowser, ToServer } from '#domain/calls/live.ts';
import { WritableStore } from '#web/live/store.ts';

/** A message that the server has not acknowledged; `refused` is the reason if it never will. */
export type Outgoing = { id: string; text: string; refused: string | null };

export type ChatState = {
  messages: readonly ChatMessage[];
  outgoing: readonly Outgoing[];
  isOpen: boolean;
  /** Messages of others that arrived while the chat was closed. */
  unread: number;
  /** The messages written before this page joined have arrived. */
  isLoaded: boolean;
};

type ChatChannel = {
  /** @returns whether it was sent */
  send: (message: ToServer) => boolean;
  /** Calls the listener with each message of the server. */
  onMessage: (listener: (message: ToBrowser) => void) => void;
  self: () => string | null;
  newId: () => string;
};

/** The chat of a call. No message is lost with a connection. */
export class Chat extends WritableStore<ChatState> {
  readonly #channel: ChatChannel;
  /** The call that the messages belong to. */
  #callId: string | null = null;
  /** The stored messages were asked for, and have not arrived. */
  #isAsked = false;

  constructor(channel: ChatChannel) {
    super({ messages: [], outgoing: [], isOpen: false, unread: 0, isLoaded: false });
    this.#channel = channel;
    channel.onMessage((message) => this.#receive(message));
  }

  open(): void {
    this.update({ isOpen: true, unread: 0 });
    if (!this.getSnapshot().isLoaded) this.#ask();
  }

  close(): void {
    this.update({ isOpen: false });
  }

  write(text: string): void {
    const message = { id: this.#channel.newId(), text, refused: null };
    this.update({ outgoing: [...this.getSnapshot().outgoing, message] });
    this.#send(message);
  }

  /** Removes a refused message, so that it can be written again. */
  takeBack(id: string): void {
    this.update({ outgoing: this.getSnapshot().outgoing.filter((one) => one.id !== id) });
  }

  #send({ id, text }: Outgoing): void {
    this.#channel.send({ type: 'chat', id, text });
  }

  #receive(message: ToBrowser): void {
    const { type } = message;
    if (type === 'welcome') this.#comeBack(message.call?.id ?? null, message.resumed);
    if (type === 'call-started') this.#comeBack(message.call.id, false);
    if (type === 'chat') this.#add([message.message], true);
    if (type === 'saved') this.takeBack(message.id);
    if (type === 'refused') this.#refused(message.id, message.message);
    if (type === 'chat-history') {
      this.#isAsked = false;
      this.update({ isLoaded: true });
      this.#add(message.messages, false);
    }
  }

  /**
   * A resumed session sends the missed messages, but no answer to a question that had not been handled. An
   * unacknowledged message may not have arrived.
   */
  #comeBack(callId: string | null, resumed: boolean): void {
    if (callId !== null && this.#callId !== null && callId !== this.#callId) {
      this.update({ messages: [], unread: 0, isLoaded: false });
    }
    this.#callId = callId ?? this.#callId;
    const { isLoaded, isOpen, outgoing } = this.getSnapshot();
    if (this.#isAsked || (!resumed && (isLoaded || isOpen))) this.#ask();
    for (const message of outgoing) if (message.refused === null) this.#send(message);
  }

  #ask(): void {
    this.#isAsked = true;
    const { isLoaded, messages } = this.getSnapshot();
    const after = isLoaded ? (messages.at(-1)?.id ?? null) : null;
    this.#channel.send({ type: 'chat-since', after });
  }

  #add(added: readonly ChatMessage[], isNews: boolean): void {
    const { isOpen, messages, unread } = this.getSnapshot();
    const known = new Set(messages.map(({ id }) => id));
    const fresh = added.filter(({ id }) => !known.has(id));
    const ofOthers = fresh.filter(({ from }) => from !== this.#channel.self()).length;
    this.update({
      // Ids sort by the time at which the server accepted them.
      messages: [...messages, ...fresh].sort((one, other) => (one.id < other.id ? -1 : 1)),
      unread: isNews && !isOpen ? unread + ofOthers : unread,
    });
  }

  #refused(id: string | undefined, why: string): void {
    this.update({
      outgoing: this.getSnapshot().outgoing.map((one) =>
        one.id === id ? { ...one, refused: why } : one,
      ),
    });
  }
}

import {
  type RememberedChoice,
  readChoice,
  rememberChoice,
} from '#web/media/devices/remembered-choice.ts';
import { type MeetingEntry, needsName } from './read-entry.ts';

/** How this page joins: a guest's name, and the choices that this device remembers. */
export class OwnChoices {
  /** Guests choose a name; the server names staff, and the users of an embedding product. */
  readonly needsName: boolean;
  /** The name that an embedding product has given. */
  readonly givenName: string | null;
  readonly #storage: Storage;
  #name: string | undefined;

  constructor(entry: MeetingEntry, deviceStorage: Storage) {
    this.needsName = needsName(entry);
    this.givenName = entry.kind === 'guest' ? entry.name : null;
    this.#storage = deviceStorage;
  }

  /** A guest's own name; undefined for those whom the server names. */
  get name(): string | undefined {
    return this.needsName ? this.#name : undefined;
  }

  get hasName(): boolean {
    return !this.needsName || this.#name !== undefined;
  }

  /** The choices that were remembered on this device. */
  get remembered(): RememberedChoice {
    return readChoice(this.#storage);
  }

  remember(changed: Partial<RememberedChoice>): void {
    rememberChoice(this.#storage, changed);
  }

  restoreName(): void {
    this.#name = this.remembered.name;
  }

  setName(name: string | undefined): void {
    this.#name = name;
    if (name !== undefined) this.remember({ name });
  }
}

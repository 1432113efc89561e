import {
  type RememberedChoice,
  readChoice,
  rememberChoice,
} from '#web/media/devices/remembered-choice.ts';

/** How this page joins: a guest's name, and the choices that this device remembers. */
export class OwnChoices {
  /** Only guests choose a name; the server names staff. */
  readonly needsName: boolean;
  readonly #storage: Storage;
  #name: string | undefined;

  constructor(needsName: boolean, deviceStorage: Storage) {
    this.needsName = needsName;
    this.#storage = deviceStorage;
  }

  /** A guest's own name; undefined for staff. */
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

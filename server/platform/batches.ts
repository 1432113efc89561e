interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Does together what arrives for a key while its earlier work is under way, because one round trip, commit, or sync
 * costs as much as many. At most one piece of work of a key is under way.
 */
export class Batches<Item, Result> {
  readonly #work: (key: string, items: Item[]) => Promise<Result[]>;
  readonly #most: number;
  readonly #waiting = new Map<string, Waiting<Item, Result>[]>();

  /** @param work returns a result for each item, in their order */
  constructor(most: number, work: (key: string, items: Item[]) => Promise<Result[]>) {
    this.#most = most;
    this.#work = work;
  }

  /** @throws the error of the work that includes the item */
  add(key: string, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const entry = { item, resolve, reject };
      const waiting = this.#waiting.get(key);
      if (waiting) return void waiting.push(entry);
      this.#waiting.set(key, [entry]);
      void this.#run(key);
    });
  }

  async #run(key: string): Promise<void> {
    for (;;) {
      const waiting = this.#waiting.get(key) ?? [];
      if (waiting.length === 0) return void this.#waiting.delete(key);
      const batch = waiting.splice(0, this.#most);
      try {
        const results = await this.#work(
          key,
          batch.map(({ item }) => item),
        );
        // As many as there are items.
        for (const [at, { resolve }] of batch.entries()) resolve(results[at] as Result);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
  }
}

import type { MediaElement } from './media-element.ts';

type Tick = { ms: number; next: number; tick: () => void };

/** Time that passes only when a test lets it. */
export class FakeTime {
  now = 0;
  readonly #media = new Set<FakeMedia>();
  readonly #ticks = new Set<Tick>();

  every(ms: number, tick: () => void): () => void {
    const entry = { ms, next: this.now + ms, tick };
    this.#ticks.add(entry);
    return () => this.#ticks.delete(entry);
  }

  follow(media: FakeMedia): void {
    this.#media.add(media);
  }

  run(ms: number): void {
    for (let passed = 0; passed < ms; passed += 10) {
      this.now += 10;
      for (const media of this.#media) media.advance(10);
      for (const entry of this.#ticks) {
        if (this.now < entry.next) continue;
        entry.next += entry.ms;
        entry.tick();
      }
    }
  }
}

const loadMs = 150;

/** An element of a page, with a speed of its own and a moment to load and to start. */
export class FakeMedia implements MediaElement {
  src = '';
  preload = '';
  playbackRate = 1;
  volume = 1;
  muted = false;
  paused = true;
  ended = false;
  seeking = false;
  readyState = 0;
  /** How fast it really runs. */
  drift = 1;
  neverLoads = false;
  refusesToPlay = false;
  isDisposed = false;
  #seconds = 0;
  #loadsAt: number | null;
  #startsAt = 0;
  readonly #time: FakeTime;
  readonly #number: number;
  readonly #listeners = new Map<string, Set<() => void>>();

  constructor(time: FakeTime, number: number) {
    this.#time = time;
    this.#number = number;
    this.#loadsAt = time.now + loadMs;
    time.follow(this);
  }

  get currentTime(): number {
    return this.#seconds;
  }

  set currentTime(seconds: number) {
    this.#seconds = seconds;
    this.seeking = true;
    this.#loadsAt = this.#time.now + loadMs;
  }

  advance(ms: number): void {
    if (this.#loadsAt !== null && this.#time.now >= this.#loadsAt && !this.neverLoads)
      this.loaded();
    const isMoving = !this.paused && !this.seeking && this.readyState >= 3;
    if (isMoving && this.#time.now >= this.#startsAt)
      this.#seconds += (ms / 1000) * this.playbackRate * this.drift;
  }

  loaded(): void {
    this.#loadsAt = null;
    this.seeking = false;
    this.readyState = 4;
    this.#tell('seeked');
    this.#tell('canplay');
  }

  fail(): void {
    this.readyState = 0;
    this.#loadsAt = null;
    this.#tell('error');
  }

  async play(): Promise<void> {
    if (this.refusesToPlay) throw new DOMException('No click', 'NotAllowedError');
    this.paused = false;
    this.#startsAt = this.#time.now + 30 + this.#number * 40;
  }

  pause(): void {
    this.paused = true;
  }

  load(): void {
    this.#seconds = 0;
    this.readyState = 0;
    this.paused = true;
    this.#loadsAt = this.#time.now + loadMs;
  }

  remove(): void {
    this.isDisposed = true;
  }

  removeAttribute(): void {
    this.src = '';
  }

  addEventListener(type: string, listener: () => void): void {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
  }

  removeEventListener(type: string, listener: () => void): void {
    this.#listeners.get(type)?.delete(listener);
  }

  #tell(type: string): void {
    for (const listener of this.#listeners.get(type) ?? []) listener();
  }
}

import type { Page } from 'playwright-core';
import type { Prepared } from '../../e2e/support/api.ts';
import { openBrowser, type Person } from '../../e2e/support/browser.ts';

const item = 'Greet';

/** Two members in one call, each in a browser, both with the checklist open. */
export class TickPages {
  readonly #people: [Person, Person];
  #checked = false;

  private constructor(people: [Person, Person]) {
    this.#people = people;
  }

  static async open(url: string, { user, roomId }: Prepared): Promise<TickPages> {
    const people: [Person, Person] = [
      await openBrowser({ devices: 'none' }),
      await openBrowser({ devices: 'none' }),
    ];
    for (const person of people) {
      await user.signIn(person);
      await person.page.goto(`${url}/app/rooms/${roomId}/call`);
      await person.page.getByRole('checkbox', { name: item }).waitFor();
    }
    return new TickPages(people);
  }

  /**
   * Clicks on one page. @returns milliseconds from the click's timestamp to the other page's first
   * frame with the tick
   */
  async tick(): Promise<number> {
    const [one, other] = this.#people;
    this.#checked = !this.#checked;
    const shown = frameThatShows(other.page, this.#checked);
    const clicked = clickTime(one.page);
    await Promise.all([shown.armed, clicked.armed]);
    await one.page.getByRole('checkbox', { name: item }).click();
    const [at, from] = await Promise.all([shown.at, clicked.at]);
    // Until the socket is idle before the next tick.
    await one.page.waitForTimeout(40);
    return at - from;
  }

  async close(): Promise<void> {
    for (const person of this.#people) await person.close();
  }
}

interface Watched {
  /** Resolves when the page is watching. */
  armed: Promise<unknown>;
  /** Milliseconds since 1970, from the page's monotonic clock. */
  at: Promise<number>;
}

/** Watches each frame that the page renders. */
function frameThatShows(page: Page, checked: boolean): Watched {
  const armed = page.evaluate((wanted) => {
    const box = document.querySelector<HTMLInputElement>(
      'aside input[type=checkbox], input[type=checkbox]',
    );
    const seen = new Promise<number>((resolve) => {
      const look = () => {
        if (box?.checked === wanted) resolve(performance.timeOrigin + performance.now());
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    Reflect.set(window, 'benchShown', seen);
  }, checked);
  return { armed, at: armed.then(() => page.evaluate(() => Reflect.get(window, 'benchShown'))) };
}

function clickTime(page: Page): Watched {
  const armed = page.evaluate(() => {
    const clicked = new Promise<number>((resolve) => {
      const note = (event: Event) => resolve(performance.timeOrigin + event.timeStamp);
      addEventListener('click', note, { capture: true, once: true });
    });
    Reflect.set(window, 'benchClicked', clicked);
  });
  return { armed, at: armed.then(() => page.evaluate(() => Reflect.get(window, 'benchClicked'))) };
}

/** The bare echo, requested from a browser as the ticks are. */
export class EchoPage {
  readonly #person: Person;

  private constructor(person: Person) {
    this.#person = person;
  }

  static async open(port: number): Promise<EchoPage> {
    const person = await openBrowser({ devices: 'none' });
    await person.page.goto(`http://localhost:${port}`);
    await person.page.evaluate(async () => {
      const socket = new WebSocket(`ws://${location.host}`);
      await new Promise((resolve) => {
        socket.onopen = resolve;
      });
      Reflect.set(window, 'benchSocket', socket);
    });
    return new EchoPage(person);
  }

  roundTrip(): Promise<number> {
    return this.#person.page.evaluate(async () => {
      const socket: WebSocket = Reflect.get(window, 'benchSocket');
      const answered = new Promise((resolve) => {
        socket.onmessage = resolve;
      });
      const from = performance.now();
      socket.send('{"type":"check"}');
      await answered;
      return performance.now() - from;
    });
  }

  close(): Promise<void> {
    return this.#person.close();
  }
}

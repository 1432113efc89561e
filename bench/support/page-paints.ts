import { openBrowser, type Person } from '../../e2e/support/browser.ts';

/** Opens pages as a signed-in person, and measures when their largest part was painted. */
export class PagePaints {
  readonly #person: Person;
  readonly #url: string;

  private constructor(person: Person, url: string) {
    this.#person = person;
    this.#url = url;
  }

  static async open(url: string, cookie: string): Promise<PagePaints> {
    const person = await openBrowser({ devices: 'none' });
    const [name = '', value = ''] = cookie.split('=');
    await person.context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }]);
    return new PagePaints(person, url);
  }

  /**
   * Loads the page, with what the browser has kept of earlier ones.
   * @param state of the browser's history, by which a list of pages remembers the page that it shows
   * @returns the largest contentful paint, in milliseconds from the navigation
   * @throws where the page complains in the console
   */
  async largestPaintMs(path: string, state?: unknown): Promise<number> {
    const { page, complaints } = this.#person;
    await page.goto(this.#url + path, { waitUntil: 'networkidle' });
    if (state !== undefined) {
      await page.evaluate((usr) => history.replaceState({ usr }, ''), state);
      await page.reload({ waitUntil: 'networkidle' });
    }
    const paintedAt = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          new PerformanceObserver((list) =>
            resolve(list.getEntries().at(-1)?.startTime ?? 0),
          ).observe({
            type: 'largest-contentful-paint',
            buffered: true,
          });
        }),
    );
    if (complaints.length > 0) throw new Error(`${path}: ${complaints.join('\n')}`);
    return paintedAt;
  }

  close(): Promise<void> {
    return this.#person.close();
  }
}

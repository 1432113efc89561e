type German = typeof import('./de/app.ts');

/** The German texts once they are loaded. They are a file of their own, which others do not load. */
export let german: German | null = null;

/** To be waited for before anything that shows texts is imported. Without it pages are English. */
export async function loadGerman(): Promise<void> {
  german = await import('./de/app.ts').catch(() => null);
}

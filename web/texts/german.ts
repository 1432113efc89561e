type German = typeof import('./de/app.ts');

/** The German texts once they are loaded, from a separate file. */
export let german: German | null = null;

/** Must resolve before any module that shows texts is imported. Without the file pages are English. */
export async function loadGerman(): Promise<void> {
  german = await import('./de/app.ts').catch(() => null);
}

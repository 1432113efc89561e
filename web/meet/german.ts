type German = typeof import('../texts/de/meet.ts');

/** The German texts of this page once they are loaded, from a separate file. */
export let german: German | null = null;

/** Must resolve before `page.tsx` is imported. Without the file the page is English. */
export async function loadGerman(): Promise<void> {
  german = await import('../texts/de/meet.ts').catch(() => null);
}

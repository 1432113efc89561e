type German = typeof import('../texts/de/meet.ts');

/** This page's German texts once they are loaded, a file of their own. */
export let german: German | null = null;

/** To be waited for before `page.tsx` is imported. Without it the page is English. */
export async function loadGerman(): Promise<void> {
  german = await import('../texts/de/meet.ts').catch(() => null);
}

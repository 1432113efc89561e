import type { Theme } from '#domain/looks.ts';

const { dataset } = document.documentElement;
/** The theme that the server wrote into the page, or that the embedding page sent since. */
let chosen = dataset.theme;
let isDark = false;

function show(): void {
  const theme = isDark ? 'dark' : chosen;
  if (theme === undefined) delete dataset.theme;
  else dataset.theme = theme;
}

/** Null follows the system. */
export function chooseTheme(theme: Theme | null): void {
  chosen = theme ?? undefined;
  show();
}

/** Keeps the page dark, whatever theme is chosen, until the returned function is called. */
export function keepDark(): () => void {
  isDark = true;
  show();
  return () => {
    isDark = false;
    show();
  };
}

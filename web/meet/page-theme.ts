import type { Theme } from '#domain/looks.ts';

const { dataset } = document.documentElement;
/** As the server wrote it into the page, or as the page around this one said since. */
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

/** Dark, whatever is chosen, until the returned function is called. */
export function keepDark(): () => void {
  isDark = true;
  show();
  return () => {
    isDark = false;
    show();
  };
}

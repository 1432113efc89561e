import { useLayoutEffect } from 'react';

/** Dark as long as the component is there, and then as the person's system has it again. */
export function useDarkPage(): void {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement;
    const { theme } = dataset;
    dataset.theme = 'dark';
    return () => {
      if (theme === undefined) delete dataset.theme;
      else dataset.theme = theme;
    };
  }, []);
}

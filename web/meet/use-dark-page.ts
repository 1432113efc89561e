import { useLayoutEffect } from 'react';
import { keepDark } from './page-theme.ts';

/** Dark while the component is mounted; afterwards the chosen theme again. */
export const useDarkPage = (): void => useLayoutEffect(keepDark, []);

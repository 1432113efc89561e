import { useLayoutEffect } from 'react';
import { keepDark } from './page-theme.ts';

/** Dark as long as the component is there, and then as the person has chosen it again. */
export const useDarkPage = (): void => useLayoutEffect(keepDark, []);

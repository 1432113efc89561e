/** The result of a check, and what to do if it is not ok. */
export interface Finding {
  what: string;
  state: 'ok' | 'warning' | 'failed';
  text: string;
  todo?: string;
}

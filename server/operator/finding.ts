/** What was looked at, how it is, and what to do where it is not well. */
export interface Finding {
  what: string;
  state: 'ok' | 'warning' | 'failed';
  text: string;
  todo?: string;
}

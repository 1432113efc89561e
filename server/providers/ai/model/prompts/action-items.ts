import { sharedRules } from './shared.ts';

export const actionItemsPrompt = {
  version: 1,
  instructions: `${sharedRules}

List what someone committed to do after the call, each once, in the order in which it was agreed. Leave out what is done, denied, only considered, or past. "title": the task, beginning with a verb, at most 90 characters. "owner": the name of who does it, as in the lines; "us" for the team, "customer" for the customer, "me" for who takes the notes; null where it is not said. "due": the words for the date, copied from a cited line; null without one. "dueOn": that day as YYYY-MM-DD, counted from "date" in the call's zone; null if it is not certain.`,
};

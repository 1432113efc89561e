import { doing } from './commitment-words.ts';

/** Whom a word of notes stands for. */
export const pronouns: Record<string, string> = {
  i: 'me',
  me: 'me',
  us: 'us',
  we: 'us',
  he: 'customer',
  she: 'customer',
  they: 'customer',
  customer: 'customer',
  client: 'customer',
  cust: 'customer',
};
/** Verbs of notes beyond those that people say. */
const more = new Set(
  'activate re-import bring join write reply loop chase ping nudge resolve investigate own countersign cc onboard sync dm draft recap redline renegotiate reconnect reach circle touch pull push escalate invoice whitelist allowlist unblock enable disable activate prep doc demo repro rerun re-run re-test retest re-send collect analyze analyse approve quote supply clean wire dig hand bump extend drop convince walk teach warn tell remind answer advise apply clear close configure patch rollback'.split(
    ' ',
  ),
);
/** Words that begin a line and are names of things, not people. */
export const things =
  /^(?:the|a|an|this|that|it|its|there|what|who|when|if|also|both|each|every|some|all|no|not|only|team|usage|adoption|renewal|training|support|sales|product|onboarding|budget|price|pricing|contract|invoice|export|import|dashboard|search|ui|api|sso|audio|video|calls?|meeting|reports?|users?|agents?|customers?|q|nps|csat|next|last|exec|leadership|management|recordings?|webhooks?|integration|feature|ticket|data|everyone|everything|nobody|nothing|someone|people|ppl|things|sync|quality|migration|workshop|seats?|champion|churn|their|our|your|my|his|her|legal terms)$/i;
export const isVerb = (word: string) =>
  doing.has(word) ||
  more.has(word) ||
  /^(?:join|become|intro|follow|help|look|own|have|let)$/.test(word);

export function baseOf(verb: string): string {
  const word = verb.toLowerCase();
  const bases = [word.slice(0, -1), word.slice(0, -2), word.replace(/ies$/, 'y')];
  return bases.find(isVerb) ?? word;
}

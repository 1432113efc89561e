import type { Priority, Suggestion } from '#domain/ai/contract.ts';
import type { Utterance } from './utterances.ts';

export interface Concern {
  type: Suggestion['type'];
  priority: Priority;
  suggestion: string;
  pattern: RegExp;
}

/** Customers' concerns, with the phrases that express them and the advice, most serious first. */
export const concerns: readonly Concern[] = [
  {
    type: 'risk',
    priority: 'high',
    suggestion:
      'They’re talking about leaving. Ask what would have to change for them to stay, and agree on one action with a date before the call ends.',
    pattern:
      /\b(?:cancel(?:l?ing|lation|l?ed)?|churn(?:ing)?|(?:not|n't|won't) (?:be )?renew(?:ing)?|leav(?:e|ing) (?:you|your|the platform|rapport)|terminate|end (?:the|our) (?:contract|subscription|agreement)|(?:look(?:ing|ed)?|shop(?:ping)?) (?:at|for|into|around)(?: \w+){0,3} (?:alternatives?|other (?:options|vendors?|tools?|providers?|solutions?)|elsewhere)|look(?:ing)? elsewhere|shopping around|switch(?:ing)? (?:to|away|over|providers?|vendors?)|mov(?:e|ing) (?:away|off)|pull(?:ing)? the plug|last straw|had enough|downgrad(?:e|ing)|money back|refund)\b/i,
  },
  {
    type: 'risk',
    priority: 'high',
    suggestion:
      'Something isn’t working for them. Repeat back what you heard, and say who will follow up and when.',
    pattern:
      /\b(?:outages?|downtime|(?:is|are|was|were|went|goes|been) down|does(?:n't| not) work|did(?:n't| not) work|not working|stopped working|broken|keeps? (?:crash|fail|freez|break|logg)ing|crash(?:es|ed)|unacceptable|frustrat(?:ed|ing)|fed up|disappointed|nobody (?:answers|answered|got back|replied)|(?:never|hasn't|haven't|no one|still no) (?:got(?:ten)? back|heard back|answer(?:ed)?|repl(?:y|ied)|response))\b/i,
  },
  {
    type: 'objection',
    priority: 'high',
    suggestion:
      'Price came up. Before offering a discount, ask what they’re comparing it with and what the problem costs them today.',
    pattern:
      /\b(?:(?:too|so|very|quite|pretty|rather|really|a bit|more) (?:expensive|pric[e]?y|costly|high for us)|(?:expensive|pricey|costly|overpriced)|(?:price|pricing|cost|quote|fee|renewal) (?:is|was|are|seems?|feels?|looks?|went|has gone)(?: \w+){0,3} (?:high|steep|up|much|lot|problem|concern|issue)|(?:can't|cannot|can not|couldn't|not) (?:afford|justify)|(?:no|out of|over|tight|limited|cut|freeze|small(?:er)?) (?:the |our )?budgets?|budgets? (?:is|are|was|were|got|has been|have been|got|cut|freeze|for)(?: \w+){0,3} ?(?:tight|cut|frozen|gone|spent|limited|freeze)?|price (?:increase|hike)|discount|cheaper)\b/i,
  },
  {
    type: 'competitor',
    priority: 'high',
    suggestion:
      'They mentioned another product. Ask what they like about it, then show the one difference that matters for their goal. Don’t talk it down.',
    pattern:
      /\b(?:competitors?|(?:using|use|used|trying|tried|trial(?:l)?ing|evaluat(?:e|ing)|demo(?:ed|ing)?|look(?:ing|ed) at|talk(?:ing|ed) to|compar(?:e|ed|ing)(?: you)? (?:to|with|against)|quote from|offer from|switch(?:ing)? to|instead of|versus|vs\.?) (?:zoom|teams|microsoft|google meet|webex|gong|chorus|gainsight|totango|churnzero|planhat|vitally|intercom|zendesk|salesforce|hubspot|catalyst|another (?:vendor|provider|tool|product|platform|company)|other (?:vendors?|providers?|tools?|products?|platforms?)|your competit\w+|a rival))\b/i,
  },
  {
    type: 'confusion',
    priority: 'medium',
    suggestion:
      'They may not be following. Stop, ask which part is unclear, and show it in their own account.',
    pattern:
      /\b(?:(?:i'm|i am|we're|we are|they're|they are|she's|he's|got|getting|bit|little|quite|am|are|was|were) (?:\w+ )?(?:confused|lost|not following|overwhelmed|unclear)|(?:don't|do not|didn't|did not|not sure (?:i|we)|doesn't|can't) (?:really |quite |fully |even )?(?:understand|get it|follow|see (?:how|why|what|where)|know (?:how|what|where|which))|confusing|unclear|not (?:\w+ )?clear|what do you mean|too complicated|complicated|how does (?:that|this|it) work|makes? no sense|doesn't make sense)\b/i,
  },
  {
    type: 'objection',
    priority: 'medium',
    suggestion:
      'They’re hesitating. Ask what they’d need to see to decide, and offer exactly that.',
    pattern:
      /\b(?:not (?:sure|convinced|certain|ready|comfortable)|hesitant|hesitat(?:e|ing|ion)|skeptical|sceptical|on the fence|worried|worry|concern(?:s|ed)?|nervous|have to think|need (?:more )?time|need to think|not the right time|too early|(?:run|check) (?:it|this|that) (?:by|with|past) (?:my|our|the)|security review|legal (?:has|have|needs?|team|review)|pushback|push back)\b/i,
  },
];

const denied =
  /\b(?:no|not|never|without|isn't|aren't|wasn't|won't|don't|doesn't|didn't|hasn't|haven't|nothing)\b[^.;,!?]{0,24}$/i;

/** Returns the latest line for each kind of concern. "No plans to cancel" is not one. */
export function concernLines(
  utterances: readonly Utterance[],
): { concern: Concern; said: Utterance }[] {
  return concerns.flatMap((concern) => {
    const said = utterances.findLast(({ text }) => raises(concern.pattern, text));
    return said ? [{ concern, said }] : [];
  });
}

function raises(pattern: RegExp, text: string): boolean {
  const found = pattern.exec(text);
  if (!found) return false;
  const before = text.slice(0, found.index);
  const startsWithDenial =
    /^(?:no|not|n't|never|can't|won't|don't|didn't|doesn't|hasn't|haven't|nobody|still no|stopped)/i;
  return startsWithDenial.test(found[0]) || !denied.test(before);
}

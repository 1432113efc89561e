export type Owner = 'speaker' | 'listener' | 'named';

/** A phrase of commitment. The text after `pattern` is the action. */
export interface Cue {
  kind: string;
  pattern: RegExp;
  /** Confidence of the cue alone, before the rest of the sentence is considered. */
  weight: number;
  owner: Owner;
  /** For `can` and `should`, which are commitments only with certain verbs. */
  strict?: boolean;
  /** A commitment once another person accepts it, and weak before. */
  needsAnswer?: boolean;
  /** The following text is an object, not a verb: "you will have the draft". */
  isThing?: boolean;
}

const loose =
  '(?:(?:mind|each|just|also|probably|definitely|certainly|then|still|all|now|actually|really|personally|happily|gladly|maybe|perhaps|quickly|always|even|both|either|obviously|basically|simply|together|again|first|likely|hopefully|surely|absolutely|of course|for sure|sort of|kind of|you know|like|please|at least|later|afterwards|tomorrow|today|tonight|like to|love to|be able to|be sure to|make sure to|make sure i|make sure we|make sure that we|make sure that i|have to|need to|get to|try to|try and|go ahead and|go and|go back and|come back and|going to|happy to|glad to) )*';
const person =
  '(?:(?:the|our|your|my|their) it|he|she|they|who|someone|somebody|everyone|everybody|(?:(?:the|our|your|my|their) )?(?:\\w+ )?(?:team|engineering|engineers?|support|sales|legal|finance|marketing|procurement|product|security|ops|operations|billing|csm|developers?|designers?|manager|colleagues?|boss|admin|accountant|lawyers?|clerk|secretary|assistant|consultant|architect|trainer|hr))';

const cue = (
  kind: string,
  pattern: string,
  weight: number,
  owner: Owner,
  more: Pick<Cue, 'strict' | 'needsAnswer' | 'isThing'> = {},
): Cue => ({ kind, pattern: new RegExp(`${pattern} ${loose}`, 'g'), weight, owner, ...more });

/** Sentences are in lower case with contractions expanded, and names are `@`. Stronger cues come first. */
export const cues: readonly Cue[] = [
  cue('will', `\\bi ${loose}(?:will|shall)\\b`, 0.8, 'speaker'),
  cue('will', `\\b(?:we|us two|both of us) ${loose}(?:will|shall)\\b`, 0.68, 'speaker'),
  cue(
    'going to',
    `\\b(?:i|we) ${loose}(?:am|are) ${loose}(?:going|planning|about) to\\b`,
    0.74,
    'speaker',
  ),
  cue(
    'happy to',
    `\\b(?:i|we) (?:am|are|would be|'d be|will be) (?:happy|glad|willing|prepared|pleased) to\\b`,
    0.62,
    'speaker',
  ),
  cue(
    'promise',
    `\\b(?:i|we) (?:promise|commit|intend|plan|aim|agree|undertake|volunteer|offer|guarantee) to\\b`,
    0.75,
    'speaker',
  ),
  cue(
    'must',
    `\\b(?:i|we) ${loose}(?:need|have|got|have got|ought|am supposed|are supposed) to\\b`,
    0.58,
    'speaker',
  ),
  cue('let me', `\\blet me\\b`, 0.62, 'speaker', { strict: true }),
  cue('let us', `\\b(?:let us|lets|let 's)\\b`, 0.44, 'speaker', { strict: true }),
  cue('can', `\\bi ${loose}can\\b`, 0.54, 'speaker', { strict: true }),
  cue('can', `\\b(?:we ${loose}(?:can|could)|i ${loose}could)\\b`, 0.46, 'speaker', {
    strict: true,
  }),
  cue('offered', `\\b(?:shall|should|can|could) (?:i|we)\\b`, 0.4, 'speaker', {
    strict: true,
    needsAnswer: true,
  }),
  cue('offered', `\\bwhy do not (?:i|we)\\b`, 0.6, 'speaker', { strict: true, needsAnswer: true }),
  cue('should', `\\bi ${loose}(?:should|must|had better|better)\\b`, 0.53, 'speaker', {
    strict: true,
  }),
  cue('should', `\\bwe ${loose}(?:should|must|had better|better)\\b`, 0.47, 'speaker', {
    strict: true,
  }),
  cue(
    'my job',
    `\\b(?:my (?:job|task|action|plan|homework|next step) (?:is|will be)|(?:the )?next steps? (?:is|are|will be)(?: for (?:me|us))?|the plan is|it is (?:up )?to me|it is on me) to\\b`,
    0.65,
    'speaker',
  ),
  cue(
    'I need you',
    `\\b(?:i|we) (?:need|want|would like|would love|will need|expect|am counting on) you (?:guys )?to\\b`,
    0.62,
    'listener',
  ),
  cue(
    'asked',
    `\\b(?:can|could|will|would) (?:you|@|somebody|someone|one of you|either of you|you guys)`,
    0.42,
    'listener',
    { needsAnswer: true, strict: true },
  ),
  cue(
    'you will',
    `\\byou ${loose}(?:will|are going to|need to|have to|must|should|are to|might want to|can)\\b`,
    0.44,
    'listener',
    { strict: true },
  ),
  cue('please', `\\b(?:please|kindly)\\b`, 0.5, 'listener', { strict: true, needsAnswer: true }),
  cue(
    'sure',
    `\\b(?:make sure(?: that)?(?: you| to)?|remember to|do not forget to|be sure to)`,
    0.5,
    'listener',
    { strict: true },
  ),
  cue(
    'named',
    `(?:^|[^\\w@])(?:@|${person}) ${loose}(?:will|shall|is going to|are going to|is to|are to|needs to|need to|has to|have to|must|agreed to|promised to|offered to|is supposed to|has agreed to)\\b`,
    0.62,
    'named',
  ),
  cue('to do', `(?:^|[,:] )(?:@(?: and @)?|${person}) (?:should|can|to)\\b`, 0.55, 'named', {
    strict: true,
  }),
  cue(
    'bare will',
    `^(?:(?:ok|okay|yes|yeah|sure|and|so|cool|great|alright|right|then|well|perfect),? ?,? )*(?:will|going to|got to|need to|shall)\\b`,
    0.6,
    'speaker',
    { strict: true },
  ),
  cue(
    'you get',
    `\\byou ${loose}(?:will|are going to|should) ${loose}(?:have|get|receive|hear)\\b`,
    0.58,
    'speaker',
    { isThing: true },
  ),
];

/** Complete phrases of taking on any task. */
export const takings =
  /\b(?:leave (?:it|that|this|those|them) (?:with|to) (?:me|us)|i am on it|we are on it|consider it done|(?:(?<=^|[,.] |okay |ok |yes |yep |yeah |sure )will do)(?! (?:well|fine|better|that if))|on my (?:list|plate|to ?- ?do|side)|i volunteer|that is on (?:me|us)|(?:put|mark) me down for|sign me up|count me in|i have got (?:this|that) (?:one|covered)|i owe you|my action|i will (?:take|own|handle|do) (?:that|this|it)(?: one)?|(?:i|we) can (?:take|own|handle|do) (?:that|this|it)(?: one)?|expect (?:it|that|this|something|an? \w+|the \w+) (?:from (?:me|us)|by|on|tomorrow|next)|you have my word)\b/;

/** An action in the passive voice, with a time or an actor. */
export const passive =
  /\b(?:will|shall|is going to|are going to|needs? to|has to|have to|must|should|to) (?:\w+ly |all |also |then )?be ((?:\w+ed|sent|done|made|written|built|given|put|set up|brought|shown|run|taken|found|got|told|paid|held|kept)\b.*)$/;

/** "We are meeting them on Tuesday." */
export const arranged =
  /\b(?:i|we) (?:am|are) (?:\w+ly |also |just )?((?:send|meet|call|visit|shar|deliver|publish|deploy|releas|review|present|prepar|writ|schedul|fly|talk|speak|hir|mov|start|launch|train|host|ship)ing\b.*)$/;

/** Context before a cue that negates the commitment: a condition, a question, a report, a past plan. */
export const undone =
  /(?:\b(?:if|unless|whether|what|how|where|which|why|who|whatever|suppose|supposing|imagine|until|before|in case|so that|such that|wish|hope|wonder|pretend|as if|than|as soon as|as long as|in order that|the way|the thing|anything(?: else)?|everything|something(?: else)?|nothing|whatever else|all|the day|every time|whenever)(?: that)?|\b(?:said|says|say|told|tells|thought|thinks|claimed|promised|mentioned|asked|knew|believed|figured|guessed|heard|assumed)(?: (?:me|us|him|her|them|you|@))?(?: that)?)$/;
export const hypothetical =
  /\b(?:would have|could have|should have|might have|was going to|were going to|used to|if i were|if we were|ideally|in theory|hypothetically|some day|someday|one day|in an ideal world|wouldn't it)\b/;
export const accepted =
  /^(?:(?:oh|ah|um|uh|well|and|ok|okay),? )*(?:yes|yeah|yep|yup|sure|of course|absolutely|definitely|certainly|will do|no problem|no worries|on it|i am on it|i can|i will|i shall|ok|okay|alright|all right|sounds good|happy to|gladly|fine|consider it done|you got it|got it|right|can do|that works|great|perfect|deal|mm - hmm|uh - huh|with pleasure|leave it (?:with|to) me)\b(?! (?:but|no|not|if))/;
export const refused =
  /^(?:(?:oh|ah|well|sorry),? )*(?:no|nope|not|never|i can not|i will not|i do not|i am not|unfortunately|i am afraid|rather not)\b/;
/** "I'll send it, ok?" is not a question. */
export const tagQuestion =
  /, ?(?:ok|okay|right|alright|all right|yeah|fine|good|deal|does that work|is that ok|if that is ok)[^,]{0,12} ?\?$/;

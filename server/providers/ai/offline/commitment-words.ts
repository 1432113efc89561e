const setOf = (words: string) => new Set(words.split(/\s+/));

/** Actions that people commit to, and whose result others can wait for. */
export const doing = setOf(`
  add address adjust align analyse analyze announce apply arrange ask assemble assign attach audit
  begin block book bring broadcast budget build buy calculate call cancel change chase check circulate
  clarify clean close code collect come-back compare compile complete configure confirm connect consolidate
  consult contact contribute convert coordinate copy correct cover create customize deal debug decide
  define delete deliver deploy describe design detail develop direct discuss distribute document double-check
  download draft draw drop edit email e-mail enable ensure enter escalate estimate evaluate examine
  expand explore export extend fetch figure file fill finalise finalize find finish fix flag follow
  format forward gather generate get give go grab grant handle help hire host identify implement import
  improve inform initiate install integrate introduce investigate invite invoice invest involve keep label launch
  list locate log look loop mail make manage map mark measure meet merge message migrate
  model modify monitor move negotiate note notify obtain offer open order organise organize outline own
  pass pay phone pick pilot ping plan post prepare present print prioritise prioritize process procure
  produce propose provide publish pull purchase push put raise reach read rebuild recheck reconfirm record
  redo reduce refine register release remind remove renew reopen repair replace reply report request
  reschedule research reserve reset resend resolve respond restart retest return review revise rework rewrite
  roll rotate run schedule scope search secure select send separate set settle share ship show sign simplify
  sketch slack solve sort speak specify split start store study submit summarise summarize supply
  survey swap switch sync synchronise tag take talk teach tell test text tidy track train transcribe transfer
  translate trial troubleshoot try turn type update upgrade upload validate verify visit work write`);

/** Actions that are over immediately, refer to the conversation itself, or are only thoughts. */
export const passing = setOf(`
  admit agree assume bet be become believe argue concur confess continue cry die disagree doubt enjoy expect fall feel
  forget forgive grant guess happen hate have hear hold hope imagine know laugh leave like listen live
  lose love mean mention miss mute need never notice pass pause prefer pretend remember repeat
  say see seem skip sleep stand stay stop suffer suggest suppose survive think trust
  understand unmute vote wait want warn watch win wish wonder`);

/** Beginnings of the text after "I will" that are not commitments. */
export const idioms = new RegExp(
  `^(?:(?:just|also|probably|maybe|now|actually|first|quickly|only) )*(?:${[
    'be (?:taking|talking|presenting|going through|showing|looking back|honest|frank|quick|brief|blunt|direct|back|right back|right there|fine|ok|okay|happy if|sad|surprised|glad if|careful|straight|clear|a minute|a second|interested|the judge|gone|late|out|off|away|able)',
    'tell you (?:what|why|the truth|something|a|this|honestly|how|one)',
    'have to (?:say|admit|agree|think)',
    'have (?:a coffee|a drink|the|lunch|fun|one|some more|another|a seat|a sip)',
    '(?:walk|talk|run|guide|lead|step) (?:you|everyone|everybody|us|them) through',
    'take (?:the minutes as|you through|you back|a sip|a seat|that|it|your word|a break|questions|any questions|your point|over from here|the blame|my hat)(?! to| up| away| on| offline| back)',
    'give (?:you (?:an example|a hint|an idea|a minute|a second|five minutes|the floor)|you that|it a (?:rest|miss|minute|second)|up)',
    'go (?:round|around|first|ahead|on|over|through|back|along|with|for|next|into|now|to sleep|crazy|quickly|down|there|from|further|last|straight)',
    'get (?:to that|there|to it|into that|used|over|it right|old|started|going|on with|back to (?:that|this|it) (?:in|later))',
    'come (?:back )?to (?:that|this|it)(?: in a| later| shortly| next)',
    'come (?:in|on|along)$',
    'start (?:with|by|off|from|now|again|here|over|off with)',
    'begin (?:with|by|from|now)',
    'show (?:you|it|this) (?:now|in a|quickly|here|how|what|the)',
    'share (?:my|the|this) screen',
    'stop (?:here|there|now|sharing|talking)',
    'move (?:on|to the next|over|forward|ahead)',
    'turn (?:it )?over to',
    'hand (?:it |this )?over to',
    'pass (?:it )?(?:over |on )?to',
    'put it (?:this|that|like|another) way',
    'leave (?:it|that|this|you) (?:at that|there|here|with that|to it|for now|open)',
    'let (?:you|them|him|her|it|that|this)(?! know)(?! have)(?! me)',
    'try (?:to )?(?:explain|remember|not|my best|be|to be|keep it|and explain|describe|summarize|again)',
    'read (?:it|this|that|you|out|the)(?: out)?$',
    'ask you (?:a|one|something|this|again)',
    'keep (?:it|this|that|my|quiet|going|talking|in mind|an open|on|you)',
    'hold (?:on|off|my|that)',
    'make (?:sense|it (?:short|quick|brief)|a (?:guess|bet|joke|note of nothing)|one|my|this quick)',
    'set (?:here|there)',
    'work (?:out (?:fine|well|ok|great|anyway)|fine|well|great|for (?:me|us|you|them))',
    'look (?:forward|like|good|great|nice|bad|at (?:you|it) (?:now|here))',
    'find (?:that|it) (?:hard|difficult|easy|interesting|useful|strange|funny)',
    'pull (?:it|this|that) up',
    'run (?:out|late|into|through (?:this|it|that|the)) ',
    'meet (?:again )?(?:in the )?(?:half)',
    'speak (?:to|about|for) (?:that|this|myself)',
    'talk (?:about|to|through|over) (?:that|this|it|the|you|them)? ?(?:now|later|next|first|in a)',
    'call (?:it|that|him|her|them) (?:a|the|out|that|this)',
    'drop (?:off|out) ',
    'turn (?:out|into)',
    'turn (?:on|off) (?:(?:the|your|my) )?(?:camera|video|mic|microphone|sound|$)',
    'pick (?:that|this|one)? ?(?:now|first)?$',
    'see$',
    'do (?:that|it)? ?(?:now|first)$',
    'do (?:,|\\.|$)',
    'do (?:fine|well|ok|okay|great|better|without|better than)',
    'take$',
    'pay for (?:it|that)$',
    'cost',
    'rain',
    'explain',
    'describe (?:it|that|this|how|what)',
  ].join('|')})\\b`,
);

/** Combinations with such verbs that are commitments nevertheless. */
export const stillPromises = new RegExp(
  `^(?:(?:just|also|probably|definitely|then|certainly|all) )*(?:${[
    'be (?:sending|sharing|working|reaching|calling|writing|preparing|checking|following|testing|updating|meeting|talking|setting|putting|fixing|in touch|in contact|responsible|there (?:at|on|by)|ready (?:by|on)|on it|doing|getting|looking|contacting|emailing|scheduling|handling|taking(?! you)|running)',
    'have (?:it back|them back|a look|a word|a chat|a think|a meeting|a call|a go|it (?:ready|done|fixed|for you|by)|that (?:ready|done|fixed|for you|by)|them|him|her|someone|somebody|the (?:\\w+ ){1,3}(?:ready|done|fixed|finished|prepared|for you|by|over)|my|our|an? (?:answer|update|draft|estimate|proposal|quote|plan|version|list|summary))',
    'let (?:you|him|her|them|everyone|everybody|\\p{L}+) (?:know|have)',
    'see (?:if|whether|to it|what (?:i|we) can)',
    'leave (?:it|that|this) with',
    'hold (?:a|the|another|an)',
    'need to',
    'suggest (?:a|some|new)',
    'think (?:about|of|it over|through|up)',
    'listen (?:to the recording|back)',
    'watch (?:the recording|for|over)',
    'pass (?:it|this|that|the|them|on)(?: \\w+){0,4} (?:to|on|along)',
    'mention (?:it|this|that) to',
    'repeat (?:the (?:test|training|session))',
    'continue (?:to|with)',
    'stay (?:in touch|on (?:it|top))',
    'circle back',
    'touch base',
    'double check',
    'kick off',
    'jump on (?:a|it)',
    'hop on',
    'dig (?:into|in|up|out)',
    'cc',
  ].join('|')})\\b`,
  'u',
);

/** A request with one of these verbs needs no "will". */
export const can = setOf(`
  send share email mail check look find forward write draft set schedule book prepare arrange ask call get
  help follow make provide put create update review add introduce connect take bring fix test try do
  give show order pull talk speak reach ping confirm organize organise figure investigate run join upload
  export summarize summarise compile collect start change handle cover design build finish deliver contact loop`);

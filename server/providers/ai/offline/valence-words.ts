const setOf = (words: string) => new Set(words.split(' '));

export const wordsOf = {
  negation: setOf(
    'not no never none nothing nobody neither nor nowhere without cannot hardly barely rarely scarcely seldom aint lacking zero',
  ),
  bareNegation: setOf('not no never nothing neither nor without nobody none nowhere'),
  raising: setOf(
    'think believe convinced sure certain feel say see agree expect recommend consider',
  ),
  /** Subjects that begin a new clause. */
  subject: setOf('i we they he she'),
  /** Words and punctuation that end the scope of a negation or an intensifier. */
  scopeEnd: setOf(', ; : . ! ? ( ) - -- — … ... " but because and or so which who although though'),
  contrast: setOf('but however nevertheless except unfortunately yet'),
  concession: setOf('although though while despite even'),
};

const boosted: [number, string][] = [
  [
    0.3,
    'very really extremely absolutely totally completely incredibly so super highly exceptionally remarkably truly insanely ridiculously definitely particularly especially amazingly awfully deeply enormously entirely exceedingly fully greatly hugely most much purely quite thoroughly tremendously unbelievably utterly such way far even always significantly considerably',
  ],
  [
    -0.35,
    'somewhat slightly kinda sorta fairly partly marginally a-bit little bit mildly almost nearly occasionally relatively reasonably sometimes kind-of sort-of less rather moderately',
  ],
];
export const boosters: ReadonlyMap<string, number> = new Map(
  boosted.flatMap(([by, words]) => words.split(' ').map((word) => [word, by] as const)),
);

const faces: [number, string][] = [
  [2.6, '😍 🥰 ❤️ ❤ 🤩 🎉 🥳 💯 😻 💖 💕 🏆'],
  [2, '😀 😃 😄 😁 😊 🙂 😂 🤣 👍 👏 🙌 😎 ✅ 🔥 🚀 💪 ⭐ 🌟 🤗 😇 :) :-) :D :-D =) ;) ;-) <3 xD'],
  [-1.5, '😕 😐 😑 🙄 😬 🤔 😟 ☹️ 🙁 😒 😓 😞 😔 :( :-( :/ :-/ =( :|'],
  [-2.4, '😡 🤬 😠 👎 😭 😢 😩 😫 😤 💔 🤮 🤦 😱 ❌ 💩'],
];

export const cues = {
  emoji: new Map(
    faces.flatMap(([value, all]) => all.split(' ').map((face) => [face, value] as const)),
  ),
  like: 1.5,
  well: 1.1,
  capitals: 0.7,
  tooMuch: 0.6,
  tooBad: 1.4,
  tooAny: -1.3,
  notTooAny: 0.5,
  notGood: 0.7,
  notBad: 0.6,
  negationReach: 4,
  raisedReach: 8,
  bareNegation: -0.8,
  endings: [
    [/ier$/, 'y'],
    [/iest$/, 'y'],
    [/ily$/, 'y'],
    [/iness$/, 'y'],
    [/e?st$/, ''],
    [/est$/, 'e'],
    [/er$/, ''],
    [/r$/, ''],
    [/ly$/, ''],
    [/ness$/, ''],
    [/s$/, ''],
    [/es$/, ''],
    [/ed$/, ''],
    [/d$/, ''],
    [/ing$/, ''],
    [/ing$/, 'e'],
  ] as const,
  quoted: 0.3,
  beforeBut: 0.6,
  afterBut: 1.3,
  exclamation: 0.15,
  question: 0.6,
  patterns: [
    {
      name: 'wish',
      value: -1.2,
      pattern:
        /\b(?:I|i|we|they) (?:do |really |just |only |still )?wish(?:ed)?\b|\bmy only wish\b|\bwishing\b/,
    },
    {
      name: 'would be better',
      value: -1.4,
      pattern:
        /\b(?:would|could|should|might) (?:have |also |really |still )?(?:been? |be )?(?:a lot |much |even |so much )?(?:better|nicer|nice|great|perfect|improved|easier)\b(?! than)/,
    },
    {
      name: 'should have',
      value: -1,
      pattern:
        /\b(?:should|could|would) have (?:been|had|included|come|made|put|known|bought|gone|kept)\b/,
    },
    { name: 'instead of', value: -0.4, pattern: /\binstead of\b/ },
    { name: 'until', value: -0.8, pattern: /\buntil (?:it|the|one|i|they|now|yesterday|last)\b/ },
    {
      name: 'stopped',
      value: -1.8,
      pattern:
        /\b(?:it|just|simply|has|have|had|suddenly|then|already|completely) (?:just |has |simply )?(?:stopped|quit)\b/,
    },
    {
      name: 'not able',
      value: -1,
      pattern:
        /\b(?:can|could|will|would|does|did|do|is|was) not (?:even |always |really |seem to |be able to )?(?:work|connect|load|open|find|use|read|play|charge|hold|stay|fit|last|recognize|turn|start|boot|install|figure|reach|get|export|log|sync|save|see|hear)\b/,
    },
    {
      name: 'not as good',
      value: -1.3,
      pattern:
        /\bnot (?:nearly |quite |even )?as (?:good|well|nice|easy|clear|fast|bright|sharp|comfortable|sturdy|useful|\w+) as\b/,
    },
    {
      name: 'better than',
      value: 0.8,
      pattern:
        /\b(?:much |far |way |even |so much )?(?:better|faster|easier|nicer|cheaper|quieter|smaller|lighter|sharper) than (?!nothing|expected)/,
    },
    { name: 'than expected', value: 0.4, pattern: /\bthan (?:i |we )?(?:had )?expected\b/ },
    { name: 'worse than', value: -1, pattern: /\b(?:worse|slower|heavier|weaker|louder) than\b/ },
    {
      name: 'high marks',
      value: 2.6,
      pattern:
        /\b(?:(?:5|five|4\.5) (?:out of (?:5|five) )?stars?|(?:5|five) ?\/ ?5|(?:9|10|nine|ten) ?(?:\/|out of) ?(?:10|ten))\b/,
    },
    {
      name: 'low marks',
      value: -2.4,
      pattern:
        /\b(?:(?:0|1|2|zero|one|two|1\.5) (?:out of (?:5|five) )?stars?|(?:1|2|one|two) ?\/ ?5|[0-4] ?(?:\/|out of) ?10)\b/,
    },
    {
      name: 'unfounded',
      value: 2,
      pattern:
        /\b(?:unfounded|for nothing|turned out to be wrong|yet to (?:find|see|have) (?:a|any|one))\b/,
    },
    { name: 'so called', value: -1.5, pattern: /\bso ?-? ?called\b/ },
    { name: 'if only', value: -1, pattern: /\bif only\b/ },
    {
      name: 'nothing bad',
      value: 1.5,
      pattern:
        /\b(?:no|zero|without (?:any|a)|never (?:had )?(?:any|a)) (?:\w+ )?(?:problems?|issues?|complaints?|troubles?|hassles?|glitch(?:es)?|errors?|downtime|regrets?)\b/,
    },
    {
      name: 'so that',
      value: -0.9,
      pattern: /\bso (?:small|big|loud|heavy|dark|tight|large|thin|thick|long|hot) that\b/,
    },
    {
      name: 'more to come',
      value: -0.5,
      pattern:
        /\b(?:needs?|need|could use|lacks?) (?:to be |some |more |a )(?:\w+ )?(?:work|improvement|better|polish|attention)\b/,
    },
    {
      name: 'again and again',
      value: -0.8,
      pattern:
        /\b(?:over and over|again and again|third time|second time|every time i|keeps? \w+ing|kept \w+ing)\b/,
    },
  ],
};

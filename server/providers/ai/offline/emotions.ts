/**
 * Emotions with the words that express them. Only words that carry a value in their context are
 * looked up.
 */
const words: readonly { emotion: string; isGood: boolean; words: RegExp }[] = [
  {
    emotion: 'enthusiasm',
    isGood: true,
    words:
      /^(?:excit|thrill|amaz|awesome|fantastic|incredible|love|wow|blown away|eager|delight|game changer|looking? forward)/,
  },
  {
    emotion: 'satisfaction',
    isGood: true,
    words:
      /^(?:happy|glad|pleas|satisf|good|great|nice|perfect|excellent|works?|worked|smooth|solid|impress|exceed|like|enjoy|easy|easily|best|better|wonderful)/,
  },
  { emotion: 'gratitude', isGood: true, words: /^(?:thank|appreciat|grateful)/ },
  {
    emotion: 'trust',
    isGood: true,
    words:
      /^(?:trust|confiden|reliab|rely|dependab|recommend|highly recommend|champion|renew|on board|on track)/,
  },
  {
    emotion: 'relief',
    isGood: true,
    words: /^(?:reliev|finally|saved|saves|no problem|no issue|no trouble|nothing bad)/,
  },
  {
    emotion: 'frustration',
    isGood: false,
    words:
      /^(?:frustrat|annoy|fed up|sick of|tired of|hassle|stuck|again and again|pain|not able|slow|buggy|crash|bug|unusable|unresponsive|no response|on hold|waited)/,
  },
  {
    emotion: 'anger',
    isGood: false,
    words:
      /^(?:angry|furious|outrag|mad|unacceptable|ridiculous|hate|awful|horrible|terrible|worst|disaster|nightmare)/,
  },
  {
    emotion: 'disappointment',
    isGood: false,
    words:
      /^(?:disappoint|let down|fell short|falls short|regret|dissatisf|not happy|unfortunately|poor|wish|would be better|should have|if only|returned|refund|waste|not impressed)/,
  },
  {
    emotion: 'worry',
    isGood: false,
    words:
      /^(?:worr|concern|afraid|nervous|anxious|risk|at risk|hesita|scare|skeptic|sceptic|not sure|on the fence|unsure|fear)/,
  },
  {
    emotion: 'confusion',
    isGood: false,
    words: /^(?:confus|unclear|lost|complicated|overwhelm|puzzl|misunderst)/,
  },
];

/** Returns the strongest emotions first, at most four. */
export function keyEmotions(hits: readonly { word: string; value: number }[]): string[] {
  const strength = new Map<string, number>();
  for (const { word, value } of hits) {
    for (const { emotion, isGood, words: pattern } of words) {
      if (value > 0 !== isGood || !pattern.test(word)) continue;
      strength.set(emotion, (strength.get(emotion) ?? 0) + Math.abs(value));
    }
  }
  return [...strength]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 4)
    .map(([emotion]) => emotion);
}

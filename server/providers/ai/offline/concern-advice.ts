import type { Priority, Suggestion } from '#domain/ai/contract.ts';
import type { ReadableLanguage } from './which-language.ts';

export type ConcernName =
  | 'leaving'
  | 'broken'
  | 'unhappy'
  | 'price'
  | 'competitor'
  | 'confusion'
  | 'hesitation';

interface Advice {
  type: Suggestion['type'];
  priority: Priority;
  suggestion: Record<ReadableLanguage, string>;
}

/** What to do about each kind of concern, most serious first. */
export const concernAdvice: Record<ConcernName, Advice> = {
  leaving: {
    type: 'risk',
    priority: 'high',
    suggestion: {
      en: 'They’re talking about leaving. Ask what would have to change for them to stay, and agree on one action with a date before the call ends.',
      de: 'Ein Wechsel steht im Raum. Fragen Sie, was sich ändern müsste, damit sie bleiben, und vereinbaren Sie vor dem Ende des Gesprächs einen Schritt mit Datum.',
    },
  },
  broken: {
    type: 'risk',
    priority: 'high',
    suggestion: {
      en: 'Something isn’t working for them. Repeat back what you heard, and say who will follow up and when.',
      de: 'Etwas funktioniert nicht. Fassen Sie zusammen, was Sie gehört haben, und sagen Sie, wer sich bis wann meldet.',
    },
  },
  unhappy: {
    type: 'risk',
    priority: 'high',
    suggestion: {
      en: 'They sound unhappy. Acknowledge it, ask what bothers them most, and agree on the first thing to fix.',
      de: 'Die Stimmung ist schlecht. Sprechen Sie es an, fragen Sie, was am meisten stört, und vereinbaren Sie, was zuerst behoben wird.',
    },
  },
  price: {
    type: 'objection',
    priority: 'high',
    suggestion: {
      en: 'Price came up. Before offering a discount, ask what they’re comparing it with and what the problem costs them today.',
      de: 'Es geht um den Preis. Fragen Sie vor einem Rabatt, womit verglichen wird und was das Problem heute kostet.',
    },
  },
  competitor: {
    type: 'competitor',
    priority: 'high',
    suggestion: {
      en: 'They mentioned another product. Ask what they like about it, then show the one difference that matters for their goal. Don’t talk it down.',
      de: 'Ein anderes Produkt wurde genannt. Fragen Sie, was daran gefällt, und zeigen Sie den einen Unterschied, der für das Ziel zählt. Reden Sie es nicht schlecht.',
    },
  },
  confusion: {
    type: 'confusion',
    priority: 'medium',
    suggestion: {
      en: 'They may not be following. Stop, ask which part is unclear, and show it in their own account.',
      de: 'Etwas ist unklar. Halten Sie an, fragen Sie, welcher Teil, und zeigen Sie ihn im Konto des Kunden.',
    },
  },
  hesitation: {
    type: 'objection',
    priority: 'medium',
    suggestion: {
      en: 'They’re hesitating. Ask what they’d need to see to decide, and offer exactly that.',
      de: 'Es gibt Zweifel. Fragen Sie, was für eine Entscheidung fehlt, und bieten Sie genau das an.',
    },
  },
};

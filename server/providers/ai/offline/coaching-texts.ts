import type { ReadableLanguage } from './which-language.ts';

interface CoachingTexts {
  unanswered: string;
  praise: string;
  monologue: (speaker: string) => string;
  undated: string;
  noNextStep: string;
  openItems: (count: number, first: string) => string;
}

/** Advice in the language of the conversation. */
export const coachingTexts: Record<ReadableLanguage, CoachingTexts> = {
  en: {
    unanswered:
      'This question is still open. Answer it, or say who will and by when, before you move on.',
    praise:
      'They’re happy with this. Thank them, ask what it changed for them in numbers, and whether they’d be a reference for other customers.',
    monologue: (speaker) =>
      `${speaker} has been talking for a while. Pause and ask an open question: what matters most to you here?`,
    undated: 'This has no date yet. Agree on one while everyone’s here.',
    noNextStep:
      'There’s no next step yet. Before the call ends, agree on who does what, and by when.',
    openItems: (count, first) =>
      count > 1
        ? `${count} playbook steps left. Next: ${first}`
        : `One playbook step left: ${first}`,
  },
  de: {
    unanswered:
      'Diese Frage ist noch offen. Beantworten Sie sie, oder sagen Sie, wer das bis wann tut.',
    praise:
      'Damit sind sie zufrieden. Bedanken Sie sich, fragen Sie nach der Wirkung in Zahlen und ob sie Referenz sein möchten.',
    monologue: (speaker) =>
      `${speaker} spricht schon länger. Machen Sie eine Pause und stellen Sie eine offene Frage: Was ist Ihnen hier am wichtigsten?`,
    undated: 'Hier fehlt noch ein Datum. Vereinbaren Sie eines, solange alle da sind.',
    noNextStep:
      'Es gibt noch keinen nächsten Schritt. Vereinbaren Sie vor dem Ende des Gesprächs, wer was bis wann tut.',
    openItems: (count, first) =>
      count > 1
        ? `Noch ${count} Schritte im Playbook. Als Nächstes: ${first}`
        : `Noch ein Schritt im Playbook: ${first}`,
  },
};

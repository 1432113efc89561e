import { z } from 'zod';
import {
  type ActionItem,
  actionItem,
  coachingTypes,
  priorities,
  type Sentiment,
  type Suggestion,
  sentiment,
  suggestion,
} from '#domain/ai/contract.ts';
import {
  type CitableLine,
  type Citation,
  proofsOf,
  withoutAddresses,
} from '#domain/ai/evidence.ts';
import { day } from '#domain/day.ts';
import { askedQuestion, type Statement, statement } from '#domain/insights/contract.ts';
import { actionItemsPrompt } from './prompts/action-items.ts';
import { coachingPrompt } from './prompts/coaching.ts';
import { insightsPrompt } from './prompts/insights.ts';
import { sentimentPrompt } from './prompts/sentiment.ts';

/** One kind of question, with what is kept of the answer. */
export interface Question<Raw, T> {
  name: 'sentiment' | 'coaching' | 'action_items' | 'insights';
  prompt: { version: number; instructions: string };
  schema: z.ZodType<Raw>;
  /** The shape of what is kept. */
  kept: z.ZodType<T>;
  mostOutputTokens: number;
  timeoutMs: number;
  /** Keeps what is proven by the lines. Null if nothing usable is left of an answer that must have something. */
  keep(raw: Raw, lines: readonly CitableLine[]): T | null;
}

const text = (most: number) => z.string().max(most);
const cites = z.array(z.object({ ref: text(20), quote: text(1000) })).max(10);
const claim = z.object({ text: text(600), cites });
const emotions = [
  'enthusiasm',
  'satisfaction',
  'gratitude',
  'trust',
  'relief',
  'frustration',
  'anger',
  'disappointment',
  'worry',
  'confusion',
] as const;

const rawSentiment = z.object({
  overallSentiment: z.number().min(-1).max(1),
  confidence: z.number().min(0).max(1),
  keyEmotions: z.array(z.enum(emotions)).max(5),
  concernsDetected: z.boolean(),
  cites,
});
export const sentimentQuestion: Question<z.infer<typeof rawSentiment>, Sentiment> = {
  name: 'sentiment',
  prompt: sentimentPrompt,
  schema: rawSentiment,
  kept: sentiment,
  mostOutputTokens: 800,
  timeoutMs: 20_000,
  keep({ cites: claims, ...mood }, lines) {
    const proofs = proofsOf(claims, byRef(lines));
    if (proofs.length === 0) return null;
    const evidence = proofs.map(({ citation }) => citation.quote);
    return { ...mood, supported: true, evidence };
  },
};

const rawCoaching = z.object({
  suggestions: z
    .array(
      z.object({
        priority: z.enum(priorities),
        type: z.enum(coachingTypes),
        suggestion: text(500),
        cites,
      }),
    )
    .max(10),
});
export const coachingQuestion: Question<z.infer<typeof rawCoaching>, Suggestion[]> = {
  name: 'coaching',
  prompt: coachingPrompt,
  schema: rawCoaching,
  kept: z.array(suggestion),
  mostOutputTokens: 1500,
  timeoutMs: 20_000,
  keep: ({ suggestions }, lines) =>
    suggestions
      .flatMap(({ cites: claims, suggestion: advised, ...advice }): Suggestion[] => {
        const [proof] = proofsOf(claims, byRef(lines));
        const said = withoutAddresses(advised);
        if (!proof || !said) return [];
        return [{ ...advice, suggestion: said, context: proof.citation.quote }];
      })
      .sort((a, b) => priorities.indexOf(a.priority) - priorities.indexOf(b.priority))
      .slice(0, 5),
};

const rawItems = z.object({
  actionItems: z
    .array(
      z.object({
        title: text(300),
        priority: z.enum(priorities),
        owner: text(120).nullable(),
        due: text(120).nullable(),
        dueOn: z.string().max(20).nullable(),
        cites,
      }),
    )
    .max(60),
});
export const actionItemsQuestion: Question<z.infer<typeof rawItems>, ActionItem[]> = {
  name: 'action_items',
  prompt: actionItemsPrompt,
  schema: rawItems,
  kept: z.array(actionItem),
  mostOutputTokens: 4000,
  timeoutMs: 90_000,
  keep: ({ actionItems }, lines) =>
    actionItems
      .flatMap((item): ActionItem[] => {
        const proofs = proofsOf(item.cites, byRef(lines));
        const cited = proofs.map((one) => one.line);
        const [proof] = proofs;
        const title = withoutAddresses(item.title)?.slice(0, 120);
        if (!proof || !title) return [];
        const { line, citation } = proof;
        const due = cited.some((one) => includes(one.text, item.due)) ? item.due : null;
        return [
          {
            priority: item.priority,
            confidence: 0.8,
            title,
            description: `${line.speaker ? `${line.speaker}: ` : ''}${line.text}`.slice(0, 500),
            owner: ownerOf(item.owner, cited, lines),
            due,
            // A day that no words of the line stand for is a guess.
            dueOn: due !== null && day.safeParse(item.dueOn).success ? item.dueOn : null,
            source: citation,
          },
        ];
      })
      .slice(0, 50),
};

const rawInsights = z.object({
  summary: z.array(claim).max(15),
  topics: z.array(claim).max(15),
  questions: z.array(claim.extend({ isOpen: z.boolean(), askedBy: text(120).nullable() })).max(30),
});
const readInsights = z.object({
  summary: z.array(statement).nullable(),
  topics: z.array(statement).nullable(),
  questions: z.array(askedQuestion).nullable(),
});
export type ReadInsights = z.infer<typeof readInsights>;
export const insightsQuestion: Question<z.infer<typeof rawInsights>, ReadInsights> = {
  name: 'insights',
  prompt: insightsPrompt,
  schema: rawInsights,
  kept: readInsights,
  mostOutputTokens: 4000,
  timeoutMs: 120_000,
  keep({ summary, topics, questions }, lines) {
    const known = byRef(lines);
    const kept = {
      summary: summary.flatMap((one) => statementOf(one, known)),
      topics: topics.flatMap((one) => statementOf(one, known)),
      questions: questions.flatMap(({ isOpen, askedBy, ...one }) =>
        statementOf(one, known).map((kept) => ({
          ...kept,
          isOpen,
          askedBy: speakerOf(kept.cites) ?? nameIn(askedBy, citedBy(one.cites, lines), lines),
        })),
      ),
    };
    // Saying nothing is an answer, and saying only what no line proves is none.
    const said = summary.length + topics.length + questions.length;
    const left = kept.summary.length + kept.topics.length + kept.questions.length;
    return said > 0 && left === 0 ? null : kept;
  },
};

function statementOf(
  { text: said, cites: claims }: z.infer<typeof claim>,
  lines: ReadonlyMap<string, CitableLine>,
): Statement[] {
  const proven = proofsOf(claims, lines).map(({ citation }) => citation);
  const left = withoutAddresses(said);
  return proven.length > 0 && left ? [{ text: left, cites: proven }] : [];
}

/** The transcript knows who said a line; only for notes does the model's answer count. */
function speakerOf(cited: readonly Citation[]): string | null {
  const [first] = cited;
  return first?.kind === 'line' ? first.speaker : null;
}

/** A name counts if a speaker has it, or a cited line. */
function nameIn(
  name: string | null,
  cited: readonly CitableLine[],
  lines: readonly CitableLine[],
): string | null {
  const isKnown =
    lines.some(({ speaker }) => speaker === name) ||
    cited.some(({ text: said }) => includes(said, name));
  return isKnown ? name : null;
}

function ownerOf(
  owner: string | null,
  cited: readonly CitableLine[],
  lines: readonly CitableLine[],
): string | null {
  if (owner === 'us' || owner === 'customer') return owner;
  // Who says "I" in a transcript has a name.
  if (owner === 'me') return cited[0]?.speaker ?? 'me';
  return nameIn(owner, cited, lines);
}

const includes = (line: string, words: string | null) =>
  words !== null && words.trim() !== '' && line.toLowerCase().includes(words.trim().toLowerCase());

const citedBy = (claims: readonly { ref: string }[], lines: readonly CitableLine[]) =>
  lines.filter(({ ref }) => claims.some((claimed) => claimed.ref === ref));

const byRef = (lines: readonly CitableLine[]) => new Map(lines.map((line) => [line.ref, line]));

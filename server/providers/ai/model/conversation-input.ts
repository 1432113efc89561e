import type { CitableLine } from '#domain/ai/evidence.ts';
import { citableLines } from '../citable-lines.ts';
import type { Conversation } from '../port.ts';

/** Characters of lines in one question: about 17,000 tokens. */
const longestPart = 60_000;
/** Of a longer call, the newest parts are read: about 130,000 words. */
const mostParts = 12;
/** A line costs its ref, time, and speaker, too. */
const lineCost = 60;
/** As many as fit if they are empty. */
const mostLines = (mostParts * longestPart) / lineCost;

export interface ConversationPart {
  lines: CitableLine[];
  prompt: string;
}

/** Returns what a model is sent: the newest lines, in parts that each fit into a question. */
export function inputParts(conversation: Conversation): {
  parts: ConversationPart[];
  isPartial: boolean;
} {
  const groups: CitableLine[][] = [];
  let size = Number.POSITIVE_INFINITY;
  let isPartial = false;
  for (const line of citableLines(conversation, mostLines + 1).reverse()) {
    const cost = line.text.length + lineCost;
    if (size + cost > longestPart) {
      if (groups.length === mostParts) {
        isPartial = true;
        break;
      }
      groups.push([]);
      size = 0;
    }
    groups.at(-1)?.push(line);
    size += cost;
  }
  const facts = factsOf(conversation);
  const parts = groups.reverse().map((group) => {
    const lines = group.reverse();
    return { lines, prompt: [facts, ...lines.map(lineAsJson)].join('\n') };
  });
  return { parts, isPartial };
}

/** What every question begins with: one JSON object, as each line, so that no line can look like the end of the data. */
function factsOf(conversation: Conversation): string {
  const { roomTopic, playbookTitle, openItems, calledAt, timeZone, turns, isOver } = conversation;
  const people = new Map(turns.map(({ speaker, side }) => [speaker, side]));
  const languages = [...new Set(turns.flatMap(({ language }) => language ?? []))];
  const facts = {
    topic: roomTopic,
    playbook: playbookTitle,
    openItems: openItems.slice(0, 30).map((item) => item.slice(0, 200)),
    date: calledAt,
    timeZone,
    isOver,
    languages: languages.slice(0, 5),
    people: [...people].slice(0, 30).map(([name, side]) => ({ name, side })),
  };
  return JSON.stringify(facts);
}

const lineAsJson = ({ ref, speaker, side, text, source }: CitableLine) =>
  JSON.stringify({
    ref,
    ...(speaker === null ? {} : { speaker, side }),
    ...(source.kind === 'line' ? { second: Math.floor(source.startMs / 1000) } : {}),
    text,
  });

/** Slack's limits of a message (Block Kit) that ours stay within. */
export const mostSectionCharacters = 3000;
export const mostBlocks = 50;

/** A message as an incoming webhook of Slack takes it. `text` is what notifications and screen readers have. */
export interface SlackMessage {
  text: string;
  blocks: SlackBlock[];
}
/** `verbatim`: Slack makes no link or mention of what looks like one, such as an address or `@here`. */
type Mrkdwn = { type: 'mrkdwn'; text: string; verbatim: true };
const mrkdwn = (text: string): Mrkdwn => ({ type: 'mrkdwn', text, verbatim: true });
export type SlackBlock =
  | { type: 'section'; text: Mrkdwn }
  | { type: 'context'; elements: Mrkdwn[] };

/** Of a name or topic, before it is escaped: escaping makes a character at most five. */
const mostNameCharacters = 150;
const mostQuotedCharacters = 500;
const misleading = /[\p{C}\p{Zl}\p{Zp}\s]+/gu;

/** Returns a text of one line that Slack shows as it is: no mention, link, or direction of writing of its own. */
export function slackText(text: string, most = mostNameCharacters): string {
  const characters = [...text.replace(misleading, ' ').trim()];
  const line =
    characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : characters.join('');
  return line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** What somebody wrote, as a quotation. */
const quoted = (text: string) => `\n>${slackText(text, mostQuotedCharacters)}`;

interface Content {
  /** Of this app; what follows was made by `slackText`. */
  title: string;
  details: readonly string[];
  quote: string | null;
  link: { url: string; label: string } | null;
}

/** Returns the message with a title, details below it, a quotation, and a link. */
export function slackMessage({ title, details, quote, link }: Content): SlackMessage {
  const lines = [
    `*${title}*${quote ? quoted(quote) : ''}`,
    ...(link ? [`<${link.url}|${link.label}>`] : []),
  ];
  return {
    text: [title, ...details].join(' · '),
    blocks: [
      { type: 'section', text: mrkdwn(lines.join('\n')) },
      ...(details.length > 0
        ? [
            {
              type: 'context' as const,
              elements: details.map(mrkdwn),
            },
          ]
        : []),
    ],
  };
}

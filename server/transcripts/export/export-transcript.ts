import { Readable } from 'node:stream';
import type { CallId } from '#domain/ids.ts';
import type { TranscriptFormat, TranscriptLine } from '#domain/transcripts/contract.ts';
import { recordEvent } from '#server/audit/record-event.ts';
import { actingAccount, requireStillMay, type Tenant } from '#server/platform/access.ts';
import type { Gate } from '#server/platform/database.ts';
import { exportTurns } from '#server/platform/export-turns.ts';
import { PacedTurns } from '#server/platform/paced-turns.ts';
import { isFull, pageOfLines, readAround } from '../read-transcript.ts';
import { docxOf, docxType } from './docx.ts';
import { type ExportedCall, textFormats } from './formats.ts';

/** In memory at a time, and once more while the next page is read, however long the transcript is. */
const pageSize = { lines: 200, characters: 100_000 };
/** Lines that the exports of one organization read together. A page costs as many as it may have. */
const rate = new PacedTurns({ burst: 10_000, perSecond: 8_000 });
/** A reader who leaves is noticed with the next page. */
const open = new AbortController().signal;

/**
 * Returns the transcript as a stream that is read while it is sent, and records the export as an event. The stream
 * fails once its reader is no longer authorized.
 * @throws DomainError 404
 */
export async function exportTranscript(
  tenant: Tenant,
  id: CallId,
  format: TranscriptFormat,
): Promise<{ type: string; content: Readable; startedAt: Date }> {
  const about = await tenant.transaction(async (tx) => {
    const around = await readAround(tx, id);
    const metadata = { format };
    await recordEvent(tx, {
      action: 'TRANSCRIPT_EXPORTED',
      entity: 'call',
      entityId: id,
      metadata,
    });
    return around;
  });
  const pages = pagesOfLines(tenant, id);
  const { startedAt } = about;
  if (format === 'docx') {
    return { type: docxType, content: Readable.from(docxOf(about, pages)), startedAt };
  }
  const { type } = textFormats[format];
  return { type, content: Readable.from(textOf(about, format, pages)), startedAt };
}

async function* textOf(
  about: ExportedCall,
  format: Exclude<TranscriptFormat, 'docx'>,
  pages: AsyncIterable<TranscriptLine[]>,
): AsyncGenerator<string> {
  const { head, line, tail } = textFormats[format];
  const first = head(about);
  if (first) yield first;
  let written = 0;
  for await (const page of pages) {
    const before = written;
    yield page.map((each, index) => line(each, before + index)).join('');
    written += page.length;
  }
  if (tail) yield tail;
}

/** Yields the lines in pages, each in the organization's turn, while the reader is authorized. */
async function* pagesOfLines(tenant: Tenant, id: CallId): AsyncGenerator<TranscriptLine[]> {
  const through: Gate = (work) => exportTurns.run(tenant.orgId, work);
  let last: TranscriptLine | undefined;
  do {
    await rate.turn(tenant.orgId, `${actingAccount(tenant)}`, open, pageSize.lines);
    await requireStillMay(tenant);
    const page: TranscriptLine[] = await pageOfLines(tenant, id, last, pageSize, through);
    if (page.length > 0) yield page;
    last = isFull(page, pageSize) ? page.at(-1) : undefined;
  } while (last);
}

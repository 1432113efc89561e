import { Zip, ZipDeflate } from 'fflate';
import type { TranscriptLine } from '#domain/transcripts/contract.ts';
import type { ExportedCall } from './formats.ts';
import { clockTime } from './times.ts';

export const docxType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/**
 * Yields a Word document (ECMA-376) in pieces, so that a transcript of any length takes little memory. Packages
 * that write such files hold the whole document.
 */
export async function* docxOf(
  about: ExportedCall,
  pages: AsyncIterable<TranscriptLine[]>,
): AsyncGenerator<Buffer> {
  const pieces: Buffer[] = [];
  let failure: Error | null = null;
  const zip = new Zip((error, piece) => {
    if (error) failure = error;
    else pieces.push(Buffer.from(piece));
  });
  const taken = () => {
    if (failure) throw failure;
    return Buffer.concat(pieces.splice(0));
  };
  const add = (name: string) => {
    // Not compressed: that would keep the server's thread busy for bytes that are then few, and so cost nothing. The
    // method is Deflate all the same, because readers of streams know the end of no other.
    const file = new ZipDeflate(name, { level: 0 });
    zip.add(file);
    return (text: string, isLast: boolean) => file.push(Buffer.from(text), isLast);
  };
  for (const [name, text] of Object.entries(parts)) add(name)(text, true);
  const write = add('word/document.xml');
  const date = about.startedAt.toISOString().slice(0, 16).replace('T', ' ');
  write(`${documentHead}${heading(about.topic)}${paragraph(run(`${date} UTC`, ''))}`, false);
  for await (const page of pages) {
    write(page.map(lineOf).join(''), false);
    const piece = taken();
    if (piece.length > 0) yield piece;
  }
  write(documentTail, true);
  zip.end();
  yield taken();
}

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const openXml = 'http://schemas.openxmlformats.org';
const main = `${openXml}/wordprocessingml/2006/main`;
const contentTypes = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
const parts = {
  '[Content_Types].xml': `${declaration}<Types xmlns="${openXml}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${contentTypes}.document.main+xml"/></Types>`,
  '_rels/.rels': `${declaration}<Relationships xmlns="${openXml}/package/2006/relationships"><Relationship Id="rId1" Type="${openXml}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
};
const documentHead = `${declaration}<w:document xmlns:w="${main}"><w:body>`;
const documentTail = '<w:sectPr/></w:body></w:document>';

const heading = (text: string) =>
  paragraph(run(text, '<w:b/><w:sz w:val="32"/>'), isRightToLeft(text));

function lineOf({ startMs, name, text }: TranscriptLine): string {
  const rightToLeft = isRightToLeft(text);
  const marks = rightToLeft ? '<w:rtl/>' : '';
  const grey = '<w:color w:val="767676"/>';
  return paragraph(
    `${run(`${clockTime(startMs)}  `, grey)}${run(`${name}: `, `<w:b/>${marks}`)}${run(text, marks)}`,
    rightToLeft,
  );
}

const paragraph = (runs: string, rightToLeft = false) =>
  `<w:p><w:pPr>${rightToLeft ? '<w:bidi/>' : ''}<w:spacing w:after="120"/></w:pPr>${runs}</w:p>`;
const run = (text: string, properties: string) =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${escaped(text)}</w:t></w:r>`;

/** XML 1.0 has no characters for most control codes and for halves of surrogate pairs. */
const escaped = (text: string) =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it removes
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

/** By the first strong letter, as browsers decide for `dir="auto"`. */
function isRightToLeft(text: string): boolean {
  const [letter] = /\p{L}/u.exec(text) ?? [''];
  return /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u.test(letter);
}

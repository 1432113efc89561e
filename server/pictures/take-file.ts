import multipart from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { DomainError } from '#domain/errors.ts';
import type { Site } from '#server/http/route.ts';

/** Registers endpoints that take a file. All others refuse a multipart body. */
export function takeFiles(site: Site, mostBytes: number, register: (site: Site) => void): void {
  site.http.register(async (http) => {
    const limits = { fileSize: mostBytes, files: 1, fields: 0, headerPairs: 20 };
    await http.register(multipart, { limits });
    register({ ...site, http });
  });
}

/** Returns the one file of a multipart body. Its name and declared type are ignored. */
export async function fileOf(request: FastifyRequest): Promise<Buffer> {
  try {
    const part = await request.file();
    if (part) {
      const bytes = await part.toBuffer();
      // `toBuffer` looks at it after each piece, and may have had the last one before.
      if (part.file.truncated) throw tooLarge();
      return bytes;
    }
  } catch (error) {
    throw asRefusal(error);
  }
  throw new DomainError('invalid', 'no_file', 'Please choose a file.');
}

function asRefusal(error: unknown): unknown {
  const status = error instanceof Error && 'statusCode' in error ? error.statusCode : undefined;
  if (status === 413) return tooLarge();
  if (error instanceof DomainError) return error;
  if (status === 406) {
    return new DomainError('unsupported', 'not_multipart', 'Send the file as multipart/form-data.');
  }
  if (status !== undefined) return error;
  // The form parser's errors have no status: the boundary is missing, or the body ends early.
  return new DomainError(
    'invalid',
    'bad_form',
    'We couldn’t read this file. Please send it again.',
  );
}

const tooLarge = () =>
  new DomainError(
    'too_large',
    'picture_too_large',
    'This file is larger than 2 MB. Please choose a smaller one.',
  );

import { DomainError } from '#domain/errors.ts';
import { AnalyzerError } from '#server/providers/ai/port.ts';

/** @throws DomainError 503 when the analyzer cannot answer */
export async function answered<T>(question: Promise<T>): Promise<T> {
  try {
    return await question;
  } catch (error) {
    if (!(error instanceof AnalyzerError)) throw error;
    throw new DomainError(
      'unavailable',
      'analyzer_failed',
      'We couldn’t analyze the conversation. Please try again in a minute.',
    );
  }
}

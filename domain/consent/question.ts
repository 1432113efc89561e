import type { Language } from '#domain/languages.ts';
import type { CaptureKind } from './capture.ts';

/**
 * The version of the texts below. Receipts store it with the text: raise it with every change, so that two texts
 * never share a version.
 */
export const questionVersion = 1;
/** Of the texts for recordings of everyone in one file. */
export const togetherVersion = 2;

/** The answer is about the person alone, or about one file with everyone, which another company makes. */
export type RecordedHow = 'alone' | 'together';

export const versionOf = (how: RecordedHow): number =>
  how === 'together' ? togetherVersion : questionVersion;

/** The question as a participant reads it. */
export interface ConsentQuestion {
  title: string;
  /** One line for each kind that is asked about. */
  kinds: { kind: CaptureKind; text: string }[];
  /** Who can see it, how long it is kept, and how to withdraw. */
  terms: string[];
}

interface Texts {
  title: (organization: string) => string;
  kinds: Record<CaptureKind, string>;
  terms: (organization: string) => string[];
}

const alone: Record<Language, Texts> = {
  en: {
    title: (organization) => `May ${organization} record you in this call?`,
    kinds: {
      recording: 'Recording: your voice, your camera, and your screen while you share it.',
      transcript: 'Transcript: what you say, as text.',
      analysis: 'Analysis: software reads the text of the call and suggests a summary and tasks.',
    },
    terms: (organization) => [
      `Who can see it: the team of ${organization}, and people with whom they share it.`,
      `How long: until ${organization} deletes it, or its deletion rule does.`,
      'Nothing of you is recorded before you agree. You can withdraw at any time in the call, and have it deleted.',
    ],
  },
  de: {
    title: (organization) => `Darf ${organization} Sie in diesem Gespräch aufzeichnen?`,
    kinds: {
      recording:
        'Aufzeichnung: Ihre Stimme, Ihre Kamera und Ihr Bildschirm, solange Sie ihn teilen.',
      transcript: 'Transkript: was Sie sagen, als Text.',
      analysis:
        'Auswertung: Software liest den Text des Gesprächs und schlägt Zusammenfassung und Aufgaben vor.',
    },
    terms: (organization) => [
      `Wer es sieht: das Team von ${organization} und Personen, mit denen es die Aufzeichnung teilt.`,
      `Wie lange: bis ${organization} sie löscht oder die Löschregel greift.`,
      'Bevor Sie zustimmen, wird nichts von Ihnen aufgezeichnet. Sie können im Gespräch jederzeit widerrufen und die Aufzeichnung löschen lassen.',
    ],
  },
};

const together: Record<Language, Omit<Texts, 'kinds'> & { recording: string }> = {
  en: {
    title: (organization) => `May ${organization} record this call with you?`,
    recording:
      'Recording: everyone’s voice, camera, and shared screen, in one video. The video service of this call (Daily) makes it, and deletes its copy once the recording is saved.',
    terms: (organization) => [
      'It runs only while everyone in the call agrees. If you decline, nobody is recorded.',
      `Who can see it: the team of ${organization}, and people with whom they share it.`,
      `How long: until ${organization} deletes it, or its deletion rule does.`,
      'You can withdraw at any time in the call: the recording then stops for everyone. You can also have it deleted, which deletes every video that you are in.',
    ],
  },
  de: {
    title: (organization) => `Darf ${organization} dieses Gespräch mit Ihnen aufzeichnen?`,
    recording:
      'Aufzeichnung: Stimme, Kamera und geteilter Bildschirm aller Personen in einem Video. Der Videodienst dieses Gesprächs (Daily) erstellt es und löscht seine Kopie, sobald die Aufzeichnung gespeichert ist.',
    terms: (organization) => [
      'Sie läuft nur, solange alle im Gespräch zustimmen. Wenn Sie ablehnen, wird niemand aufgezeichnet.',
      `Wer es sieht: das Team von ${organization} und Personen, mit denen es die Aufzeichnung teilt.`,
      `Wie lange: bis ${organization} sie löscht oder die Löschregel greift.`,
      'Sie können im Gespräch jederzeit widerrufen: Die Aufzeichnung endet dann für alle. Sie können sie auch löschen lassen; damit wird jedes Video gelöscht, in dem Sie vorkommen.',
    ],
  },
};

function textsOf(how: RecordedHow, language: Language): Texts {
  if (how === 'alone') return alone[language];
  const { recording, ...texts } = together[language];
  return { ...texts, kinds: { ...alone[language].kinds, recording } };
}

export function consentQuestion(
  asked: readonly CaptureKind[],
  organization: string,
  language: Language,
  how: RecordedHow = 'alone',
): ConsentQuestion {
  const { title, kinds, terms } = textsOf(how, language);
  return {
    title: title(organization),
    kinds: asked.map((kind) => ({ kind, text: kinds[kind] })),
    terms: terms(organization),
  };
}

/** The whole question as one text, for the receipt. */
export const writtenQuestion = ({ title, kinds, terms }: ConsentQuestion): string =>
  [title, ...kinds.map(({ text }) => text), ...terms].join('\n');

import type { SampleRoomContent } from './content.ts';

/** As `englishSamples`, for people who read German. */
export const germanSamples: readonly SampleRoomContent[] = [
  {
    topic: 'Praxisverbund Zeder: Onboarding',
    playbook: 'onboardingKickoff',
    calls: [
      {
        daysAgo: 24,
        hour: 14,
        minutes: 47,
        guests: ['Helene Okafor', 'Raj Mehta'],
        ticked: 8,
        notes: `Ziel: Ausfälle bis Februar von 14 % auf unter 9 % senken. Helene leitet das Projekt, Raj die IT.
Anlass: Der Empfang ruft bisher alle einzeln an.

- Raj: Liste der Praxen und Telefonanlagen bis Freitag
- Wir schicken den Einführungsplan mit Terminen
Risiko: Die Praxis am Fluss zieht im Januar um.`,
        chat: [
          { from: 'staff', text: 'Hier ist der Plan: Die Termine stehen auf Seite 3 und 4.' },
          { from: 1, text: 'Danke! Ich prüfe den Januartermin mit dem Umzugsteam.' },
        ],
        score: 9,
        feedback: 'Klare Zuständigkeiten, gut vorbereitet.',
        actionItems: [
          {
            priority: 'high',
            title: 'Liste der Praxen und Telefonanlagen schicken',
            owner: 'Raj',
            due: 'Freitag',
          },
          {
            priority: 'medium',
            title: 'Einführungsplan mit Terminen schicken',
            owner: null,
            due: null,
          },
        ],
      },
      {
        daysAgo: 13,
        hour: 9,
        minutes: 31,
        guests: ['Helene Okafor'],
        ticked: 6,
        notes: `Zwei Praxen sind live. Das Team mag die Erinnerungen, und die Leute antworten darauf.
Die Berichte verwirren: Helene hatte Ausfälle je Ärztin erwartet.
Vereinbart: Wir richten den Bericht am Donnerstag gemeinsam ein.`,
        score: 8,
        actionItems: [
          {
            priority: 'medium',
            title: 'Bericht über Ausfälle einrichten',
            owner: 'Helene',
            due: 'Donnerstag',
          },
        ],
      },
      {
        daysAgo: 3,
        hour: 15,
        minutes: 26,
        guests: ['Helene Okafor', 'Mei Tan'],
        ticked: 7,
        notes: `Nach fünf Wochen 10,5 % Ausfälle. Helene ist zufrieden und zeigt es der Leitung.
Neu: Mei Tan übernimmt die Terminplanung am Fluss und braucht die Schulung.`,
        score: 10,
        feedback: 'Als Referenz angeboten.',
        actionItems: [
          { priority: 'medium', title: 'Schulung für Mei buchen', owner: null, due: null },
        ],
      },
    ],
  },
  {
    topic: 'Nordweg Logistik: Quartalsgespräch',
    playbook: 'businessReview',
    calls: [
      {
        daysAgo: 19,
        hour: 10,
        minutes: 52,
        guests: ['Daniel Novak', 'Ingrid Sommer'],
        ticked: 7,
        notes: `Nutzung: 62 von 80 Lizenzen aktiv, zuvor 41. Zwei Lager planen noch auf Papier.
Daniel wünscht sich die Liefertreue auf einer Seite für die Wochenrunde.
Ziele: alle Lager live, 95 % der Touren am Vortag geplant.`,
        chat: [{ from: 0, text: 'Können Sie die Lizenzen je Lager schicken?' }],
        score: 9,
        actionItems: [
          { priority: 'medium', title: 'Lizenzen je Lager schicken', owner: null, due: null },
          {
            priority: 'low',
            title: 'Verantwortliche je Lager benennen',
            owner: 'Ingrid',
            due: null,
          },
        ],
      },
      {
        daysAgo: 6,
        hour: 13,
        minutes: 18,
        guests: ['Ingrid Sommer'],
        ticked: 3,
        notes: `Der Export ist diese Woche zweimal fehlgeschlagen, Touren mussten neu getippt werden. Ingrid ist verärgert.
Bis zur Lösung je Lager exportieren. Rückmeldung bis Mittwoch zugesagt.`,
        score: 5,
        feedback: 'Das Vertrauen hat gelitten. Sofort anrufen, wenn die Lösung da ist.',
        actionItems: [
          {
            priority: 'high',
            title: 'Ingrid über die Lösung informieren',
            owner: null,
            due: 'Mittwoch',
          },
        ],
      },
    ],
  },
  {
    topic: 'Hotels am Park: Verlängerung',
    playbook: 'renewal',
    calls: [
      {
        daysAgo: 10,
        hour: 16,
        minutes: 38,
        guests: ['Amara Diallo'],
        ticked: 5,
        notes: `Der Vertrag endet in 80 Tagen. Amara entscheidet, die Finanzleitung unterschreibt.
Nutzen in ihren Worten: 6 Stunden pro Woche und Empfang gespart.
Einwand: „Der neue Preis ist nach einer ruhigen Saison schwer zu erklären.“ Möchte zwei Jahre vergleichen.`,
        score: 7,
        actionItems: [
          {
            priority: 'high',
            title: 'Angebote für ein und zwei Jahre vorbereiten',
            owner: null,
            due: null,
          },
        ],
      },
      {
        daysAgo: 2,
        hour: 11,
        minutes: 24,
        guests: ['Amara Diallo', 'Luis Ortega'],
        ticked: 7,
        notes: `Beide Angebote besprochen. Luis (Finanzen) bevorzugt zwei Jahre mit festem Preis.
Entscheidung am 15. Amara bittet um eine kurze Zusammenfassung.`,
        score: 9,
        actionItems: [
          {
            priority: 'high',
            title: 'Zusammenfassung auf einer Seite schicken',
            owner: null,
            due: null,
          },
        ],
      },
    ],
  },
];

import { useEffect, useState } from 'react';
import type { OpenedRoom } from '#domain/rooms/contract.ts';
import type { LiveAnalysis } from '#web/ai/live-analysis.ts';
import type { CallSession } from '#web/calls/call-session.ts';
import { useStore } from '#web/meet/use-store.ts';

/** The first video has priority: the code of the analysis is loaded after it. */
const startAfterMs = 5000;

/**
 * Analyzes the call while it runs, whichever tab is open. Null until the code is loaded, and for
 * people who may not analyze.
 * @param isWanted the tab is open, so that the code is loaded immediately
 */
export function useLiveAnalysis(
  session: CallSession,
  room: Pick<OpenedRoom, 'topic' | 'playbook'>,
  mayAnalyze: boolean,
  isWanted: boolean,
): LiveAnalysis | null {
  const { call, phase } = useStore(session);
  const callId = call?.id;
  const [analysis, setAnalysis] = useState<LiveAnalysis | null>(null);
  const [isDue, setDue] = useState(false);
  const isRunning = mayAnalyze && phase === 'running';
  const { topic } = room;
  const playbookTitle = room.playbook?.title ?? null;

  useEffect(() => {
    if (!isRunning) return;
    const timer = setTimeout(() => setDue(true), startAfterMs);
    return () => clearTimeout(timer);
  }, [isRunning]);

  const isOn = isRunning && (isDue || isWanted);
  useEffect(() => {
    if (!isOn || callId === undefined) return;
    let started: LiveAnalysis | null = null;
    let isOver = false;
    void import('#web/ai/live-analysis.ts').then(({ LiveAnalysis }) => {
      if (isOver) return;
      const readText = () => session.edits.notes.text;
      const transcribed = () => session.transcribed;
      started = new LiveAnalysis({
        callId,
        roomTopic: topic,
        playbookTitle,
        readText,
        transcribed,
      });
      started.start();
      setAnalysis(started);
    });
    return () => {
      isOver = true;
      started?.stop();
    };
  }, [isOn, callId, session, topic, playbookTitle]);
  return analysis;
}

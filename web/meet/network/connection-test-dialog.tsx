import './connection-test.css';
import { useCallback, useEffect, useId, useRef, useState } from 'react';
import { addressOf, type Finding, trialsOf } from '#web/media/network/connection-test.ts';
import { laterText } from '../later-texts.ts';
import type { Meeting } from '../meeting.ts';
import { sentenceOf, stateOf } from './finding-texts.ts';

type Line = { key: string; finding: Finding | null };

/** Tests one by one what a call needs, with each result in words. Loaded separately. */
export default function ConnectionTestDialog({
  meeting,
  onClose,
}: {
  meeting: Meeting;
  onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const { lines, begin } = useConnectionTest(meeting);
  const [copied, setCopied] = useState(false);
  const [report, setReport] = useState<string | null>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(reportOf(lines));
      setCopied(true);
    } catch {
      // The embedding page may forbid it: the report is shown for copying by hand.
      setReport(reportOf(lines));
    }
  };
  const done = lines.length > 0 && lines.every(({ finding }) => finding !== null);
  return (
    <dialog
      ref={dialog}
      className="settings connection-test"
      aria-labelledby={heading}
      onClose={onClose}
    >
      <h2 id={heading}>{laterText('lineTest.heading')}</h2>
      <ul aria-live="polite">
        {lines.map(({ key, finding }) => (
          <li key={key} data-ok={finding?.ok}>
            <strong>{laterText(stateOf(finding))}</strong>
            <span>
              {finding === null ? key.includes(':') && addressOf(key) : sentenceOf(finding)}
            </span>
          </li>
        ))}
      </ul>
      {report !== null && (
        <textarea
          className="connection-test-report"
          readOnly
          rows={6}
          value={report}
          aria-label={laterText('lineTest.report')}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      )}
      <div className="connection-test-actions">
        <button type="button" className="quiet" disabled={!done} onClick={() => void copy()}>
          {laterText(copied ? 'lineTest.copied' : 'lineTest.copy')}
        </button>
        <button
          type="button"
          className="quiet"
          disabled={!done}
          onClick={() => {
            setCopied(false);
            setReport(null);
            begin();
          }}
        >
          {laterText('lineTest.again')}
        </button>
        <button type="button" className="primary" onClick={() => dialog.current?.close()}>
          {laterText('lineTest.close')}
        </button>
      </div>
    </dialog>
  );
}

function useConnectionTest(meeting: Meeting) {
  const [lines, setLines] = useState<Line[]>([]);
  const run = useRef(0);
  const begin = useCallback(() => {
    run.current += 1;
    const mine = run.current;
    const trials = trialsOf({
      roundTripMs: () => meeting.roundTripMs(),
      iceServers: meeting.iceServers,
      media: meeting.media.getSnapshot(),
    });
    setLines(trials.map(({ key }) => ({ key, finding: null })));
    for (const { key, find } of trials) {
      void find().then((finding) => {
        if (run.current !== mine) return;
        setLines((all) => all.map((line) => (line.key === key ? { key, finding } : line)));
      });
    }
  }, [meeting]);
  useEffect(() => begin(), [begin]);
  return { lines, begin };
}

/** The report for support: the same results, with the browser and the time. */
function reportOf(lines: readonly Line[]): string {
  const said = lines.flatMap(({ finding }) =>
    finding ? [`${laterText(stateOf(finding))}: ${sentenceOf(finding)}`] : [],
  );
  const about = [location.host, new Date().toISOString(), navigator.userAgent];
  return [laterText('lineTest.heading'), ...about, ...said].join('\n');
}

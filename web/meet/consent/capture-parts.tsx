import './consent.css';
import { CaptureButton, CaptureStatus } from './capture-controls.tsx';
import { CaptureSession } from './capture-session.ts';
import { JoinQuestion } from './question.tsx';
import { RecordedMark } from './recorded-mark.tsx';
import { RestNotice } from './rest-notice.tsx';

/** What the page shows of captures, in one file that is loaded when it is needed. */
export const captureParts = {
  CaptureButton,
  CaptureSession,
  CaptureStatus,
  JoinQuestion,
  RecordedMark,
  RestNotice,
};

import './consent.css';

export { CaptureButton, CaptureStatus } from './capture-controls.tsx';
export { CaptureSession } from './capture-session.ts';
export { JoinQuestion } from './question.tsx';
export { RecordedMark } from './recorded-mark.tsx';
export { RestNotice } from './rest-notice.tsx';

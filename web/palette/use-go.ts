import { useNavigate } from 'react-router';
import { leaveBy } from '#web/platform/hold-back.ts';

/** Navigates, after asking if the page has unsaved changes. */
export function useGo() {
  const navigate = useNavigate();
  return (path: string) => () => leaveBy(() => void navigate(path));
}

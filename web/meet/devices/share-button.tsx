import { ScreenShare } from '#web/media/devices/screen-share.ts';
import { Icon } from '../icons.tsx';
import { text } from '../texts.ts';
import { useStore } from '../use-store.ts';

export function ShareButton({ screen }: { screen: ScreenShare }) {
  const { stream } = useStore(screen);
  if (!ScreenShare.isPossible) return null;
  const sharing = stream !== null;
  const label = text(sharing ? 'controls.stopSharing' : 'controls.share');
  return (
    <button
      type="button"
      className="round"
      data-control="screen"
      data-on={sharing || undefined}
      aria-label={label}
      title={label}
      onClick={() => (sharing ? screen.stop() : void screen.start())}
    >
      <Icon name="screen" />
    </button>
  );
}

/** Says that the screen is shared, with a button to stop it, or why it cannot be shared. */
export function ShareNotice({ screen }: { screen: ScreenShare }) {
  const { stream, blocked } = useStore(screen);
  if (stream === null && !blocked) return null;
  return (
    <p className="share-notice" role={blocked ? 'alert' : 'status'}>
      {text(blocked ? 'controls.shareBlocked' : 'meeting.ownScreen')}
      {stream && (
        <button type="button" className="pill" onClick={() => screen.stop()}>
          {text('controls.stopSharing')}
        </button>
      )}
    </p>
  );
}

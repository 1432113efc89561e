import { ConnectionBanner } from '../connection-banner.tsx';
import { DeviceNotices } from '../devices/device-notices.tsx';
import { DeviceSelects } from '../devices/device-selects.tsx';
import { laterText } from '../later-texts.ts';
import { Masthead } from '../masthead.tsx';
import type { Meeting } from '../meeting.ts';
import type { Wait } from '../meeting-state.ts';
import { PreviewVideo } from '../preview-video.tsx';
import { useHeadingFocus } from '../use-heading-focus.ts';
import { useStore } from '../use-store.ts';

/** A guest waits to be admitted, and can still set up camera and microphone. Loaded separately. */
export default function LobbyPage({ meeting, wait }: { meeting: Meeting; wait: Wait }) {
  const { room, connection } = useStore(meeting);
  const heading = useHeadingFocus();
  return (
    <div className="preview">
      <Masthead meeting={meeting} />
      <ConnectionBanner status={connection} />
      <main>
        <section className="preview-side">
          <PreviewVideo media={meeting.media} />
          <DeviceNotices media={meeting.media} />
        </section>
        <section className="preview-form lobby">
          <p className="hint">{room?.topic}</p>
          <h1 ref={heading} tabIndex={-1}>
            {laterText('lobby.title')}
          </h1>
          <div role="status" className="lobby-state">
            {wait.text !== undefined && <p className="lobby-text">{wait.text}</p>}
            <p>{laterText(wait.hostIsHere ? 'lobby.hostIsHere' : 'lobby.hostIsAway')}</p>
            {wait.said !== null && (
              <p className="lobby-said">
                <strong>{laterText('lobby.said')}</strong>
                {wait.said}
              </p>
            )}
          </div>
          <DeviceSelects media={meeting.media} />
          <button type="button" className="quiet" onClick={() => meeting.leave()}>
            {laterText('lobby.leave')}
          </button>
        </section>
      </main>
    </div>
  );
}

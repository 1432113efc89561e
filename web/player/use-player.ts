import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Recording } from '#domain/recordings/contract.ts';
import { type PagePlayer, pagePlayer } from './page-player.ts';
import type { PlayerState } from './player-state.ts';

/**
 * Returns the player of a recording, as long as the component is shown.
 * @param renew reads the recording again, for new addresses
 */
export function usePlayer(
  recording: Pick<Recording, 'people' | 'durationMs'>,
  renew: () => void,
  startMs: number,
): PagePlayer {
  const renewNow = useRef(renew);
  renewNow.current = renew;
  const [player] = useState(() => pagePlayer(recording, () => renewNow.current(), startMs));
  useEffect(() => player.update(recording), [player, recording]);
  useEffect(() => {
    const online = () => player.retry();
    addEventListener('online', online);
    return () => {
      removeEventListener('online', online);
      player.dispose();
    };
  }, [player]);
  return player;
}

/** Returns a part of the player's state. The part must stay the same while it has not changed. */
export const usePlayerState = <Part>(
  player: PagePlayer,
  part: (state: PlayerState) => Part,
): Part => useSyncExternalStore(player.state.subscribe, () => part(player.state.getSnapshot()));

import { useEffect, useState } from 'react';
import { LocalMedia } from '#web/media/devices/local-media.ts';
import { readChoice, rememberChoice } from '#web/media/devices/remembered-choice.ts';
import { openStorage } from '#web/storage/open-storage.ts';

/** Camera and microphone while the page is open. Calls begin with the devices that are chosen here. */
export function useLocalMedia(): LocalMedia {
  const [media] = useState(() => {
    const { microphoneId, cameraId, speakerId } = readChoice(openStorage(() => localStorage));
    return new LocalMedia({ audio: true, video: true }, { microphoneId, cameraId, speakerId });
  });
  useEffect(() => {
    const stopRemembering = media.subscribe(() => {
      const { microphoneId, cameraId, speakerId } = media.getSnapshot().chosen;
      rememberChoice(
        openStorage(() => localStorage),
        { microphoneId, cameraId, speakerId },
      );
    });
    void media.start();
    return () => {
      stopRemembering();
      media.stop();
      // Otherwise a camera that is plugged in later would start.
      if ('mediaDevices' in navigator) navigator.mediaDevices.ondevicechange = null;
    };
  }, [media]);
  return media;
}

type Chosen = { microphoneId?: string | undefined; cameraId?: string | undefined };

/** The constraints for getUserMedia. With `exact`, only the chosen device is accepted. */
export function constraints(
  kinds: readonly string[],
  chosen: Chosen,
  exact = false,
): MediaStreamConstraints {
  const from = (deviceId: string | undefined) =>
    deviceId ? { deviceId: exact ? { exact: deviceId } : { ideal: deviceId } } : {};
  return {
    audio: kinds.includes('audio') && {
      echoCancellation: true,
      noiseSuppression: true,
      autoGainControl: true,
      ...from(chosen.microphoneId),
    },
    video: kinds.includes('video') && {
      width: { ideal: 1280 },
      height: { ideal: 720 },
      frameRate: { ideal: 30 },
      ...from(chosen.cameraId),
    },
  };
}

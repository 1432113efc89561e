/**
 * `connecting`: also after a lost connection, and what is said meanwhile is not transcribed. `waiting`: there is no
 * microphone. `unsupported`: this browser cannot record WebM with Opus, or recognize speech on the device, whichever
 * the server wants. `installable`: it could, with a language that it has not loaded yet. `ended`: the server captures
 * nothing of this participant any more.
 */
export type SpeechState =
  | 'connecting'
  | 'on'
  | 'waiting'
  | 'unsupported'
  | 'installable'
  | 'installing'
  | 'ended';

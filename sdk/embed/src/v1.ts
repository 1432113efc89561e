import { defineRapportRoom, RapportRoom } from './rapport-room.ts';

// What Rapport serves at /embed/v1.js: elements lead to the server that the file came from.
RapportRoom.defaultServer = new URL(import.meta.url).origin;
defineRapportRoom();

/** Returns the code to embed a call of this server, with capitals for what the reader fills in. */
export const codeExamples = (server: string) => ({
  html: `<script type="module" src="${server}/embed/v1.js"></script>
<div style="height: 700px">
  <rapport-room id="call" room="ROOM_ID" token="TOKEN"></rapport-room>
</div>
<script>
  const call = document.getElementById('call');
  call.addEventListener('joined', ({ detail }) => console.log(detail.participants));
  call.addEventListener('left', ({ detail }) => console.log(detail.reason));
  call.addEventListener('error', ({ detail }) => console.log(detail.message));
  // Commands: call.mute(), call.unmute(), call.leave()
</script>`,

  react: `import { RapportRoom } from '@rapport/embed/react';

<div style={{ height: 700 }}>
  <RapportRoom
    server="${server}"
    room={roomId}
    token={token}
    onJoined={({ participants }) => console.log(participants)}
    onLeft={({ reason }) => console.log(reason)}
    onError={({ message }) => console.log(message)}
  />
</div>`,

  server: `curl ${server}/api/rooms/ROOM_ID/embed-tokens \\
  -H "Authorization: Bearer $RAPPORT_API_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '{"displayName": "Helen Okafor", "externalId": "user-17", "admitted": true}'`,

  link: `<script type="module" src="${server}/embed/v1.js"></script>
<div style="height: 700px">
  <rapport-room link="${server}/join/TOKEN"></rapport-room>
</div>`,
});

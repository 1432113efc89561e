curl "$RAPPORT_URL/api/rooms/$ROOM_ID/embed-tokens" \
  -H "Authorization: Bearer $RAPPORT_TOKEN" \
  -H "Content-Type: application/json" \
  -d '{"displayName": "Helen Okafor", "externalId": "user-4711", "admitted": true}'

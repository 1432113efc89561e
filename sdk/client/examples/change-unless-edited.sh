# Renames the room only if nobody has changed it since it was read. Otherwise curl ends with 412.
etag=$(curl -D - -o room.json "$RAPPORT_URL/api/rooms/$ROOM_ID/summary" \
  -H "Authorization: Bearer $RAPPORT_TOKEN" | sed -n 's/^[Ee][Tt]ag: \("[^"]*"\).*/\1/p')
curl -X PATCH "$RAPPORT_URL/api/rooms/$ROOM_ID" \
  -H "Authorization: Bearer $RAPPORT_TOKEN" \
  -H "If-Match: $etag" \
  -H "Content-Type: application/json" \
  -d '{"topic": "Renewal"}'

curl "$RAPPORT_URL/api/calls/$CALL_ID" \
  -H "Authorization: Bearer $RAPPORT_TOKEN"

curl "$RAPPORT_URL/api/calls/$CALL_ID/transcript" \
  -H "Authorization: Bearer $RAPPORT_TOKEN"

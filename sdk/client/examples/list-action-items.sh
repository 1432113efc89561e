curl "$RAPPORT_URL/api/calls/$CALL_ID/action-items" \
  -H "Authorization: Bearer $RAPPORT_TOKEN"

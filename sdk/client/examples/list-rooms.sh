curl "$RAPPORT_URL/api/rooms?limit=20" \
  -H "Authorization: Bearer $RAPPORT_TOKEN"

# --retry waits for as long as the Retry-After header of a 429 says.
curl --retry 3 --retry-max-time 120 "$RAPPORT_URL/api/rooms" \
  -H "Authorization: Bearer $RAPPORT_TOKEN"

# The answer has the signing secret, which is shown this once.
curl "$RAPPORT_URL/api/webhooks" \
  -H "Authorization: Bearer $RAPPORT_TOKEN" \
  -H "Content-Type: application/json" \
  -d '{"url": "https://hooks.example.com/rapport", "events": ["call.ended", "call.scored"]}'

# The same key again creates no second room.
curl "$RAPPORT_URL/api/rooms" \
  -H "Authorization: Bearer $RAPPORT_TOKEN" \
  -H "Idempotency-Key: order-4711" \
  -H "Content-Type: application/json" \
  -d '{"topic": "Kick-off with Acme"}'

# Someone else may have changed the playbook since you read version $PLAYBOOK_VERSION.
save() {
  curl -o answer.json -w '%{http_code}' -X PUT "$RAPPORT_URL/api/playbooks/$PLAYBOOK_ID" \
    -H "Authorization: Bearer $RAPPORT_TOKEN" \
    -H "Content-Type: application/json" \
    -d '{"title": "Onboarding 2027", "checklistItems": [{"text": "Agree on goals"}], "version": '"$1"'}'
}
if [ "$(save "$PLAYBOOK_VERSION")" = 409 ]; then
  # Read it, decide whether the change still makes sense, and send its version.
  version=$(curl "$RAPPORT_URL/api/playbooks/$PLAYBOOK_ID" \
    -H "Authorization: Bearer $RAPPORT_TOKEN" | sed 's/.*"version":\([0-9]*\).*/\1/')
  save "$version"
fi
cat answer.json

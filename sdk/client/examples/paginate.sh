# Follows the Link header until there is no next page.
page="/api/rooms?limit=2"
while [ -n "$page" ]; do
  curl -D headers.txt "$RAPPORT_URL$page" -H "Authorization: Bearer $RAPPORT_TOKEN"
  page=$(sed -n 's/^[Ll]ink: <\(.*\)>; rel="next".*/\1/p' headers.txt)
done

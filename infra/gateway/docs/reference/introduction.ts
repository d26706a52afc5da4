/** What is common to all operations: the description of the API document, and the first page of the reference. */
export const introduction = `Septet's services behind one address. Commands change something and are recorded in the log; queries read what follows from the log; streams \
follow it live.

## Authentication

Send an access token: \`Authorization: Bearer <token>\`. A program gets one from \`/oauth/token\` with its own credential, a person through an application
(OpenID Connect). Each operation names the scopes that it needs. A token that is bound to a key is sent as \`Authorization: DPoP <token>\` with a proof in \`DPoP\`.

\`\`\`
TOKEN=$(curl -sS https://septet.example/oauth/token -u "$CLIENT_ID:$CLIENT_SECRET" \\
  -d grant_type=client_credentials | jq -r .access_token)
curl -sS https://septet.example/v1/principals -H "Authorization: Bearer $TOKEN"
\`\`\`

## Errors

Errors are problem details (RFC 9457), \`application/problem+json\`. Decide by \`code\`, which never changes; \`detail\` is for people. \`invalid-input\`
lists each fault in \`errors\`, with a pointer and what is expected there. Unknown parameters of a query and unknown fields of a JSON body are faults, too: a
misspelled filter is never ignored. Every answer has an \`X-Request-Id\`, which leads operators to it. The endpoints under \`/oauth\` answer errors as OAuth
2.0 defines them. [All problems](/problems)

\`\`\`
{ "type": "https://septet.example/problems/invalid-input", "code": "invalid-input",
  "title": "Invalid input", "status": 400, "detail": "The request has invalid fields.",
  "errors": [{ "pointer": "/body/principalType", "expected": "one of HUMAN, PIPELINE, AI_AGENT" }] }
\`\`\`

## Commands and idempotency

Send a command with an \`Idempotency-Key\` of your choice: it is the command's id. Sent again under the same key, the command is executed once and its answer is the
same; another body under that key is refused (422 \`idempotency-key-reused\`). After a lost answer or a 503, send it again. \`If-Match\` with an \`ETag\` executes the command only
if the resource has not changed since (412).

## Reading your own writes

The answer to a command has a \`Position\`, its place in the log. Send it as \`Min-Position\` with a query: the query waits until it sees that command, for half a second
at most, and else answers 503 \`not-yet-visible\` with \`Retry-After\`.

## Pages of lists

A list answers \`items\` and \`next_cursor\`. Send it as \`cursor\`, with the same filters, for the next page; null or absent is the last page. \`limit\` is the size of a page. Lists
of the log have \`next\` instead.

## Streams

Streams are server-sent events; \`Last-Event-ID\` continues after the last event received. Up to 32 of them share one WebSocket at \`/v1/streams\`, which is opened with a ticket.

## Rate limits

Answers have \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` (seconds). Over a limit the answer is 429 with \`Retry-After\`: wait for that time.
Its body is the same everywhere, \`{"error":"rate_limited","message":…,"retryAfterSeconds":…}\`, except where the API of OpenAI is served, whose clients read OpenAI's form. Each
operation names its limit group.

## Clients

\`@septet/client\` has a typed method for each operation; the [OpenAPI document](/openapi.json) makes clients for other languages.
`;

/** The first rectangle of a document, from a terminal with a token of the reader. */
import { ownPrincipal } from '../kernel/permissions';

const drawn = (documentId: string): string =>
  `{ "clientId": "'$CLIENT'",
  "operations": [{
    "opId": "'$CLIENT'-1", "documentId": "${documentId}", "actorId": "${ownPrincipal()}",
    "clientSeq": 1, "baseVersion": 0, "createdAt": "'$NOW'",
    "type": "createNode", "targetIds": [],
    "payload": { "nodes": [{
      "id": "'$CLIENT':1", "type": "rect", "parentId": null, "orderKey": "V",
      "properties": { "localBounds": { "x": 0, "y": 0, "width": 120, "height": 80 }, "style.fill": "#0f5f5c" }
    }] }
  }] }`;

export const drawCommand = (documentId: string): string => {
  const address = `${location.origin}/v1/documents/${documentId}`;
  return `field() { node -pe "JSON.parse(require('fs').readFileSync(0, 'utf8')).$1"; }
auth="Authorization: Bearer $TOKEN"
CLIENT=$(curl -sS --fail-with-body -X POST ${address}/clients -H "$auth" | field clientId)
NOW=$(node -p 'new Date().toISOString()')
curl -sS --fail-with-body ${address}/operations:batch -H "$auth" -H 'Content-Type: application/json' -d '${drawn(documentId)}'`;
};

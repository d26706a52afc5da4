/** Endpoints of the editor: WebSockets of clients with an open document, and HTTP routes for programs without one. */

import type { DocumentLeases } from '../../../infra/ports/editor/document-leases';
import type { Random } from '../../../infra/ports/runtime/random';
import type { Upgrade } from '../../../infra/server/http/server/upgrade';
import { webSocketEndpoint } from '../../../infra/server/ws/endpoint';
import type { SessionDeps } from './dependencies';
import type { ContentDeps } from './http/routes';
import { routeUpgradeToOwner } from './owner-routing';
import { openRooms } from './rooms';
import { editorConnectionLimits, editorSocket, maxEditorMessageBytes } from './socket-endpoint';

export interface EditorEndpointOptions extends SessionDeps {
  readonly random: Random;
  readonly leases: Pick<DocumentLeases, 'holderAddress'>;
}

export interface EditorEndpoints {
  /** Of the routes beside the socket. */
  readonly content: ContentDeps;
  readonly upgrade: Upgrade;
}

export const openEditorEndpoints = (options: EditorEndpointOptions): EditorEndpoints => {
  const { callerKeys, log, signal } = options;
  const rooms = openRooms(options);
  const endpoint = webSocketEndpoint({
    routes: [editorSocket(options, rooms)],
    callerKeys,
    log,
    signal,
    pace: editorConnectionLimits,
    largestMessage: maxEditorMessageBytes,
    // Only the operation that nests too deep is rejected.
    tooDeep: 'cut',
  });
  return { content: { ...options, rooms }, upgrade: routeUpgradeToOwner(options, endpoint) };
};

/** GET /v1/documents/:documentId/presence: who has the document open now. Every editor process answers. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { DocumentId } from '../../../../domain/editor/ids';
import type { Presence } from '../../../../domain/editor/protocol/presence';
import { logStream } from '../../../../domain/editor/streams';
import { Instant, integer, record } from '../../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../../domain/kernel/ids';
import { problem } from '../../../../infra/http/problem';
import { type Identity, route } from '../../../../infra/http/routing/route';
import type { PresenceStore } from '../../../../infra/ports/editor/presence-store';
import type { Clock } from '../../../../infra/ports/runtime/clock';
import { authorizeDocument, historyProblems } from '../../history/authorization';
import type { AccessSource } from '../../ports';
import { parsePresence } from '../presence/presence';

export interface PresenceReading {
  readonly access: Pick<AccessSource, 'read'>;
  readonly presenceStore: Pick<PresenceStore, 'read'>;
  readonly clock: Clock;
}

const PresentMember = record('PresentMember', {
  principalId: PrincipalId,
  /** Windows with the document open. */
  connections: integer(1),
  /** Nodes that are selected in them. */
  selectedNodes: integer(0),
  /** Until then, unless the client says so again. */
  presentUntil: Instant,
});
type PresentMember = t.TypeOf<typeof PresentMember>;

const membersOf = (connections: readonly Presence[]): readonly PresentMember[] => {
  const principals = [...new Set(connections.map(({ userId }) => userId))];
  return principals.map((principalId) => {
    const own = connections.filter(({ userId }) => userId === principalId);
    return {
      principalId: principalId as PrincipalId,
      connections: own.length,
      selectedNodes: new Set(own.flatMap(({ selectedNodeIds }) => selectedNodeIds)).size,
      presentUntil: new Date(Math.max(...own.map(({ expiresAt }) => expiresAt))).toISOString() as Instant,
    };
  });
};

/** Administrators see who is there without a role; content takes one. */
const isAdministrator = ({ scopes }: Identity): boolean => scopes.includes('documents:admin');

export const listPresence = route<PresenceReading>()({
  method: 'get',
  path: '/v1/documents/:documentId/presence',
  operation: 'listDocumentPresence',
  summary: 'Who has the document open now, for its members and for administrators of the tenant.',
  description: 'About a second old. A client that does not show where its user is, is not listed.',
  access: { scopes: ['documents:read'] },
  params: record('PresencePath', { documentId: DocumentId }),
  answers: {
    200: {
      description: 'All of them.',
      body: record('DocumentPresence', { items: t.readonlyArray(PresentMember) }),
    },
  },
  problems: historyProblems,
  handle: async ({ access, presenceStore, clock }, { identity, params: { documentId } }) => {
    if (!isAdministrator(identity)) {
      const authorized = await authorizeDocument({ access }, { identity, documentId }, 'see');
      if (isLeft(authorized)) return authorized.left;
    }
    const { tenantId } = identity;
    if (!TenantId.is(tenantId)) return problem('forbidden', 'The token is of no known tenant.');
    const stored = await presenceStore.read(logStream(tenantId, documentId));
    if (isLeft(stored)) return problem('service-unavailable', 'Who is present is not known right now.');
    const now = Date.parse(clock.now());
    const present = stored.right
      .flatMap((value) => parsePresence(value) ?? [])
      .filter(({ expiresAt }) => expiresAt > now);
    return { status: 200, body: { items: membersOf(present) } };
  },
});

/** Routes of the document aggregate. Content is served by the document's owner. */
import { type BoundRoute, bind } from '../../../infra/server/http/routing/route';
import { withRevocationDelay } from '../access/revocation-delay';
import { appointOwnerRoute } from './appoint-owner';
import type { DocumentDeps } from './document-route';
import { acceptInvitationRoute, declineInvitationRoute, inviteRoute, withdrawInvitationRoute } from './invitations';
import { createDocumentRoute, lifecycleRoutes, renameDocumentRoute } from './lifecycle';
import { changeRoleRoute, removeMemberRoute } from './members';
import { changeLinkRoleRoute, closeLinkRoute, openLinkRoute, shareLinkRoute } from './share-link';
import { nameVersionRoute, removeVersionNameRoute } from './version-names';

export const documentRoutes = (deps: DocumentDeps): readonly BoundRoute[] => [
  bind(deps, createDocumentRoute),
  bind(deps, renameDocumentRoute),
  ...lifecycleRoutes.map((route) => bind(deps, withRevocationDelay(route))),
  bind(deps, inviteRoute),
  bind(deps, acceptInvitationRoute),
  bind(deps, declineInvitationRoute),
  bind(deps, withdrawInvitationRoute),
  bind(deps, withRevocationDelay(changeRoleRoute)),
  bind(deps, withRevocationDelay(removeMemberRoute)),
  bind(deps, appointOwnerRoute),
  bind(deps, withRevocationDelay(shareLinkRoute)),
  bind(deps, withRevocationDelay(changeLinkRoleRoute)),
  bind(deps, withRevocationDelay(closeLinkRoute)),
  bind(deps, openLinkRoute),
  bind(deps, nameVersionRoute),
  bind(deps, removeVersionNameRoute),
];

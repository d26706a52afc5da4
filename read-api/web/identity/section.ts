/** Manifest of the identity pages. */
import type { Section } from '../shell/section';
import { ChangeClientPage, NewClientPage } from './clients/client-form';
import { ClientListPage } from './clients/client-list';
import { ClientPage } from './clients/client-page';
import { GrantListPage } from './grant-list';
import { GrantPage } from './grant-page';
import { PrincipalListPage } from './principals/principal-list';
import { PrincipalPage } from './principals/principal-page';
import { SessionListPage } from './sessions';
import { KeysPage } from './signing-keys';

export const identity: Section = {
  title: 'Access',
  scope: 'principals:read',
  links: [
    { path: '/console/principals', label: 'Principals', key: 'u' },
    { path: '/console/sessions', label: 'Sessions', key: 'e', scope: 'sessions:read' },
    { path: '/console/grants', label: 'Grants', key: 'a', scope: 'grants:read' },
    { path: '/console/clients', label: 'Clients', key: 'c', scope: 'clients:read' },
    { path: '/console/signing-keys', label: 'Signing keys', key: 'k', scope: 'keys:read' },
  ],
  pages: [
    { path: '/console/principals', show: PrincipalListPage },
    { path: '/console/principals/:principalId', show: PrincipalPage },
    { path: '/console/sessions', show: SessionListPage },
    { path: '/console/grants', show: GrantListPage },
    { path: '/console/grants/:grantId', show: GrantPage },
    { path: '/console/clients', show: ClientListPage },
    { path: '/console/clients/new', show: NewClientPage },
    { path: '/console/clients/:applicationId', show: ClientPage },
    { path: '/console/clients/:applicationId/change', show: ChangeClientPage },
    { path: '/console/signing-keys', show: KeysPage },
  ],
};

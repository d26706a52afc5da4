/** Identity's part of the console: who may act, who is signed in, which applications ask, which keys sign. */
import type { Section } from '../shell/section';
import { ClientPage } from './client';
import { ChangeClientPage, NewClientPage } from './client-form';
import { ClientsPage } from './clients';
import { GrantPage } from './grant';
import { GrantsPage } from './grants';
import { KeysPage } from './keys';
import { PrincipalPage } from './principal';
import { PrincipalsPage } from './principals';
import { SessionsPage } from './sessions';

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
    { path: '/console/principals', show: PrincipalsPage },
    { path: '/console/principals/:principalId', show: PrincipalPage },
    { path: '/console/sessions', show: SessionsPage },
    { path: '/console/grants', show: GrantsPage },
    { path: '/console/grants/:grantId', show: GrantPage },
    { path: '/console/clients', show: ClientsPage },
    { path: '/console/clients/new', show: NewClientPage },
    { path: '/console/clients/:applicationId', show: ClientPage },
    { path: '/console/clients/:applicationId/change', show: ChangeClientPage },
    { path: '/console/signing-keys', show: KeysPage },
  ],
};

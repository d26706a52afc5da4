/** Pages of the section. One chunk, loaded with the first of them. */
export { ChangeClientPage, NewClientPage } from './clients/client-form';
export { ClientListPage } from './clients/client-list';
export { ClientPage } from './clients/client-page';
export { CredentialListPage } from './credentials/credential-list';
export { RevokeTokenPage } from './credentials/revoke-token-page';
export { TerminalPage } from './credentials/terminal-page';
export { GrantListPage } from './grant-list';
export { GrantPage } from './grant-page';
export { PrincipalListPage } from './principals/principal-list';
export { PrincipalPage } from './principals/principal-page';
export { RefusedRequestsPage } from './refused-requests/refused-requests-page';
export { PrincipalActivityPage } from './security-events/principal-activity';
export { SecurityEventsPage } from './security-events/security-events-page';
export { SessionListPage } from './sessions';
export { SignInPolicyPage } from './sign-in-policy/sign-in-policy-page';
export { KeysPage } from './signing-keys';

/** Handlers by grant_type. */
import type { JsonAnswer } from '../../../../infra/server/http/routing/route';
import type { ClientSource } from '../../clients/load-client';
import type { IssueGrantDeps } from '../../grants/issue-grant-tokens';
import type { PrincipalSource } from '../../principals/load-principal';
import { redeemCode } from '../authorization-code/redeem-code';
import type { AuthenticatedClient } from '../client-authentication/authenticated-client';
import { deviceGrant, type PollDeps, redeemDeviceCode } from '../device-authorization/redeem-device-code';
import { type RefreshDeps, refreshTokens } from '../refresh-token/refresh-grant';
import { clientCredentials } from './client-credentials';
import type { Issuer } from './issue-tokens';
import type { TokenRequest } from './token-request';

/** Dependencies of all grants. */
export interface GrantDeps extends RefreshDeps, IssueGrantDeps, PollDeps, Issuer, PrincipalSource, ClientSource {}

type GrantHandler = (deps: GrantDeps, request: TokenRequest) => Promise<JsonAnswer>;

/** In the order of discovery. */
const grantTypes: ReadonlyMap<string, GrantHandler> = new Map<string, GrantHandler>([
  ['authorization_code', redeemCode],
  ['refresh_token', refreshTokens],
  ['client_credentials', clientCredentials],
  [deviceGrant, redeemDeviceCode],
]);

export const grantTypeNames: readonly string[] = [...grantTypes.keys()];

export const grantHandler = (grantType: string): GrantHandler | undefined => grantTypes.get(grantType);

/** Credentials of principals allow client_credentials only. */
export const isGrantTypeAllowed = (client: AuthenticatedClient, grantType: string): boolean =>
  client.kind === 'principal'
    ? grantType === 'client_credentials'
    : client.application.grantTypes.some((one) => one === grantType);

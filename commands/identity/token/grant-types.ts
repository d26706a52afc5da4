/** What a client can show to get tokens: one function each. Another grant type is another line here. */
import type { JsonAnswer } from '../../../infra/http/route';
import type { HandOutDeps } from '../authorize/hand-out';
import { redeemCode } from '../authorize/redeem-code';
import type { ClientSource } from '../clients/load-client';
import { deviceGrant, type PollDeps, redeemDevice } from '../device/redeem-device';
import { type RefreshDeps, refreshTokens } from '../grants/refresh';
import type { PrincipalSource } from '../principals/load-principal';
import type { TokenCall } from './call';
import type { AuthenticatedClient } from './client';
import { clientCredentials } from './client-credentials';
import type { Issuer } from './issue';

/** What all grant types together need. */
export interface GrantDeps extends RefreshDeps, HandOutDeps, PollDeps, Issuer, PrincipalSource, ClientSource {}

type GrantHandler = (deps: GrantDeps, call: TokenCall) => Promise<JsonAnswer>;

const grantTypes: ReadonlyMap<string, GrantHandler> = new Map<string, GrantHandler>([
  ['client_credentials', clientCredentials],
  ['refresh_token', refreshTokens],
  ['authorization_code', redeemCode],
  [deviceGrant, redeemDevice],
]);

export const grantTypeNames: readonly string[] = [...grantTypes.keys()];

export const grantHandler = (grantType: string): GrantHandler | undefined => grantTypes.get(grantType);

/** A principal's own credential is for client credentials alone. */
export const mayUse = (client: AuthenticatedClient, grantType: string): boolean =>
  client.kind === 'principal'
    ? grantType === 'client_credentials'
    : client.application.grantTypes.some((one) => one === grantType);

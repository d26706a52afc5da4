/** An authorization decision of a gateway, as telemetry: not an event of the log. Never a token, a path or a query. */
import * as t from 'io-ts';
import { Instant, nullable, oneOf, record, text } from '../../kernel/codec';

/** As long as claims may be. */
const claim = (name: string, example: string) => text(name, { content: 'any', maxLength: 256, examples: [example] });

const AuthEventId = text('AuthEventId', {
  maxLength: 36,
  pattern: '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}',
  examples: ['018f2a5e-6c3d-4b7a-9d41-2f6c8e0a1b3c'],
});

export const AuthResult = oneOf('AuthResult', ['ALLOW', 'DENY']);
export type AuthResult = t.TypeOf<typeof AuthResult>;

export const AuthReason = text('AuthReason', {
  maxLength: 64,
  pattern: '[a-z][a-z_]*(_v[0-9]{1,7})?',
  examples: ['insufficient_scope'],
  description:
    'Why access was denied: a word of the access check, or the code of the problem with _ for -. Where a policy of the tenant was asked, it ends with its version, also where access was allowed: policy_allowed_v3.',
});

export const TokenId = claim('AuthEventTokenId', '9b2f6a51-7c1e-4f57-9a07-3f1f0f2e9c10');
export const DecidedPrincipalId = claim('AuthEventPrincipal', 'p-1');

const required = {
  eventId: AuthEventId,
  timestamp: Instant,
  /** Null, as the three below: no token with a valid signature was presented. */
  jti: nullable(TokenId),
  principalId: nullable(DecidedPrincipalId),
  principalType: nullable(claim('AuthEventPrincipalType', 'HUMAN')),
  tenantId: nullable(claim('AuthEventTenant', 'acme')),
  /** What access was requested to. */
  audience: claim('AuthEventAudience', 'septet'),
  /** Of the token. */
  scopes: t.readonlyArray(claim('AuthEventScope', 'principals:read')),
  result: AuthResult,
};

const optional = {
  sourceIp: text('AuthEventSourceIp', { maxLength: 45, examples: ['192.0.2.7'] }),
  deviceId: claim('AuthEventDevice', 'laptop-7'),
  workloadId: claim('AuthEventWorkload', 'spiffe://acme.test/ns/build/sa/deploy'),
  clusterId: claim('AuthEventCluster', 'eu-1'),
  dpopThumbprint: text('AuthEventDpopThumbprint', { maxLength: 64 }),
  certThumbprint: text('AuthEventCertThumbprint', { maxLength: 64 }),
  reason: AuthReason,
};

export const AuthEvent = record('AuthEvent', required, optional);
export type AuthEvent = t.TypeOf<typeof AuthEvent>;

/** Without what is personal: of a person who was forgotten. */
export const withoutPersonal = ({ sourceIp: _address, deviceId: _device, ...event }: AuthEvent): AuthEvent => event;

export const hasPersonal = ({ sourceIp, deviceId }: AuthEvent): boolean =>
  sourceIp !== undefined || deviceId !== undefined;

/** Facts and commands that the tests of authorization speak of. */
import { createHash } from 'node:crypto';
import type { IssueCode, RedeemCode } from '../../../../domain/identity/authorization-code/decider';
import type { RedeemDevice, RequestDevice } from '../../../../domain/identity/device-authorization/decider';
import type { DeviceApproval } from '../../../../domain/identity/device-authorization/state';
import type {
  ClientId,
  CodeId,
  DeviceRequestId,
  GrantId,
  PushedRequestId,
  SessionId,
} from '../../../../domain/identity/ids';
import { plusSeconds } from '../../../../domain/kernel/instant';
import { noon, principalId, scope } from '../../examples';

/** RFC 7636, appendix B. */
export const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
export const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

const hex = (text: string): string => createHash('sha256').update(text).digest('hex');

export const codeId = hex('code') as CodeId;
export const requestId = hex('request') as PushedRequestId;
export const deviceId = hex('device') as DeviceRequestId;
const sessionId = hex('session') as SessionId;
export const grantId = 'g-1' as GrantId;
export const applicationId = 'acme~app-1' as ClientId;
const redirectUri = 'https://app.example/callback';
export const key = '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I';
const reads = scope('principals:read');

export const issueCode = (changes: Partial<IssueCode> = {}): IssueCode => ({
  type: 'IssueCode',
  codeId,
  clientId: applicationId,
  redirectUri,
  challenge,
  principalId,
  sessionId,
  scopes: [reads],
  audience: ['septet'],
  nonce: null,
  jkt: null,
  authenticatedAt: noon,
  methods: ['pwd'],
  issuedAt: noon,
  expiresAt: plusSeconds(noon, 60),
  clientEpoch: 0,
  idTokenClaims: [],
  ...changes,
});

export const redeemCode = (changes: Partial<RedeemCode> = {}): RedeemCode => ({
  type: 'RedeemCode',
  codeId,
  clientId: applicationId,
  redirectUri,
  challenge,
  jkt: null,
  grantId,
  at: plusSeconds(noon, 1),
  ...changes,
});

export const requestDevice = (changes: Partial<RequestDevice> = {}): RequestDevice => ({
  type: 'RequestDevice',
  deviceId,
  clientId: applicationId,
  secretHash: hex('device secret'),
  scopes: [reads],
  audience: ['septet'],
  jkt: null,
  requestedAt: noon,
  expiresAt: plusSeconds(noon, 600),
  ...changes,
});

export const approval = (changes: Partial<DeviceApproval> = {}): DeviceApproval => ({
  deviceId,
  principalId,
  sessionId,
  scopes: [reads],
  authenticatedAt: noon,
  methods: ['pwd'],
  approvedAt: plusSeconds(noon, 10),
  clientEpoch: 0,
  ...changes,
});

export const redeemDevice = (changes: Partial<RedeemDevice> = {}): RedeemDevice => ({
  type: 'RedeemDevice',
  deviceId,
  clientId: applicationId,
  secretHash: hex('device secret'),
  jkt: null,
  grantId,
  at: plusSeconds(noon, 20),
  ...changes,
});

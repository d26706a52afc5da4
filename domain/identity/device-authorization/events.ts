/** A device without a browser waits for a person to allow it elsewhere (RFC 8628). */
import * as t from 'io-ts';
import { Instant, nullable } from '../../kernel/codec';
import { family } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';
import {
  Audience,
  AuthenticationMethod,
  ClientId,
  DeviceRequestId,
  GrantId,
  SecretHash,
  SessionId,
  Thumbprint,
} from '../ids';
import { Scopes } from '../scopes';

const Audiences = t.array(Audience, 'Audiences');

export const deviceRequests = family('identity', {
  DeviceRequested: {
    v: 1,
    data: {
      deviceId: DeviceRequestId,
      clientId: ClientId,
      /** Of what the device asks with; the code that the person types is its other half. */
      secretHash: SecretHash,
      scopes: Scopes,
      audience: Audiences,
      jkt: nullable(Thumbprint),
      requestedAt: Instant,
      expiresAt: Instant,
    },
  },
  DeviceApproved: {
    v: 1,
    data: {
      deviceId: DeviceRequestId,
      principalId: PrincipalId,
      sessionId: SessionId,
      /** Those of the asked for that the person may hand out. */
      scopes: Scopes,
      authenticatedAt: Instant,
      methods: t.array(AuthenticationMethod, 'AuthenticationMethods'),
      approvedAt: Instant,
    },
  },
  DeviceDenied: { v: 1, data: { deviceId: DeviceRequestId, principalId: PrincipalId, deniedAt: Instant } },
  DeviceRedeemed: {
    v: 1,
    data: { deviceId: DeviceRequestId, principalId: PrincipalId, grantId: GrantId, redeemedAt: Instant },
  },
  /** The device's code came again after it had been redeemed: one of the two was not meant to have it. */
  DeviceReplayed: {
    v: 1,
    data: { deviceId: DeviceRequestId, principalId: PrincipalId, grantId: GrantId, replayedAt: Instant },
  },
});
export type DeviceRequestEvent = typeof deviceRequests.Event;

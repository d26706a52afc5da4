/** Device authorization requests (RFC 8628). */
import * as t from 'io-ts';
import { Instant, integer, nullable } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
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

export const deviceRequests = aggregate(
  { context: 'identity', name: 'device', id: DeviceRequestId },
  {
    DeviceRequested: {
      v: 1,
      data: {
        deviceId: DeviceRequestId,
        clientId: ClientId,
        /** Hash of the device code's secret; the user code is its other half. */
        secretHash: SecretHash,
        scopes: Scopes,
        audience: Audiences,
        jkt: nullable(Thumbprint),
        requestedAt: Instant,
        expiresAt: Instant,
      },
    },
    DeviceApproved: {
      v: 2,
      data: {
        deviceId: DeviceRequestId,
        principalId: PrincipalId,
        sessionId: SessionId,
        /** Requested scopes that the person can grant. */
        scopes: Scopes,
        authenticatedAt: Instant,
        methods: t.array(AuthenticationMethod, 'AuthenticationMethods'),
        approvedAt: Instant,
        /** The client's grant epoch: a higher one voids the approval. */
        clientEpoch: integer(0),
      },
      from: { 1: (old: object) => ({ ...old, clientEpoch: 0 }) },
    },
    DeviceDenied: { v: 1, data: { deviceId: DeviceRequestId, principalId: PrincipalId, deniedAt: Instant } },
    DeviceRedeemed: {
      v: 1,
      data: { deviceId: DeviceRequestId, principalId: PrincipalId, grantId: GrantId, redeemedAt: Instant },
    },
    /** The device code was used again after its redemption. */
    DeviceReplayed: {
      v: 1,
      data: { deviceId: DeviceRequestId, principalId: PrincipalId, grantId: GrantId, replayedAt: Instant },
    },
  },
);
export type DeviceRequestEvent = typeof deviceRequests.Event;

export const { stream: deviceRequestStream } = deviceRequests;

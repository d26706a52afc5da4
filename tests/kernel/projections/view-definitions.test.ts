/** The columns and mappings of every view, as its row codec says them at this version. */
import assert from 'node:assert/strict';
import * as t from 'io-ts';
import { finite, integer, nullable, record, text } from '../../../domain/kernel/codec';
import type { FieldMapping } from '../../../infra/ports/views/index-definition';
import type { View } from '../../../infra/ports/views/view-store';
import { projections } from '../../../projections/composition/projections';
import { index, table } from '../../../projections/kernel/view';

/** A line that changes needs a new version: tables and indexes that stand have the old one. A new view is a new line. */
const definitions: { readonly [view: string]: string } = {
  'identity_principals v2 (postgres)': `
    tenantId text, principalId text, principalType text, status text, securityEpoch integer, createdAt timestamptz,
    isAdmin boolean, isAuditor boolean, revision integer`,
  'identity_principal_history v2 (postgres)': `
    tenantId text, principalId text, revision integer, eventId text, type text, at timestamptz, actor text,
    reason text, details jsonb`,
  'identity_authorities v1 (postgres)': `
    tenantId text, principalId text, kind text, name text, grantedAt timestamptz, revision integer`,
  'identity_authenticators v1 (postgres)': `
    tenantId text, principalId text, kind text, authenticatorId text, addedAt timestamptz, revision integer`,
  'identity_credentials v1 (postgres)': `
    tenantId text, owner text, ownerId text, credentialId text, scopes text[], createdAt timestamptz,
    expiresAt timestamptz, revokedAt timestamptz, reason text, revision integer`,
  'identity_sessions v2 (postgres)': `
    tenantId text, sessionId text, principalId text, status text, openedAt timestamptz, authenticatedAt timestamptz,
    methods text[], upstreamIssuer text, expiresAt timestamptz, endedAt timestamptz, reason text, endedBy text,
    revision integer`,
  'identity_grants v2 (postgres)': `
    tenantId text, grantId text, principalId text, principalType text, clientId text, scopes text[],
    audience text[], sessionId text, refreshFamilyId text, status text, authenticatedAt timestamptz, methods text[],
    createdAt timestamptz, expiresAt timestamptz, endedAt timestamptz, reason text, endedBy text, incidentId text,
    revision integer`,
  'identity_refresh_families v2 (postgres)': `
    tenantId text, familyId text, grantId text, principalId text, clientId text, status text,
    rotationCounter integer, binding text, openedAt timestamptz, lastUsedAt timestamptz, idleSeconds integer,
    expiresAt timestamptz, endedAt timestamptz, reason text, endedBy text, incidentId text, revision integer`,
  'identity_clients v1 (postgres)': `
    tenantId text, applicationId text, status text, createdAt timestamptz, name text, redirectUris text[],
    postLogoutRedirectUris text[], grantTypes text[], authentication text, jwks jsonb, jwksUri text,
    tlsSubject text, scopes text[], audiences text[], dpopBound boolean, certificateBound boolean,
    requirePushed boolean, firstParty boolean, servicePrincipalId text, refreshIdleSeconds integer,
    refreshAbsoluteSeconds integer, revision integer`,
  'identity_signing_keys v1 (postgres)': `
    tenantId text, kid text, algorithm text, keystore text, state text, createdAt timestamptz,
    publishedAt timestamptz, activatedAt timestamptz, retiredAt timestamptz, revokedAt timestamptz, reason text,
    revision integer`,
  'identity_sign_in_settings v2 (postgres)': `
    tenantId text, kind text, name text, rules jsonb, provider jsonb, revision integer`,
  'identity_credential_policies v1 (postgres)': `
    tenantId text, maximumSeconds integer, forbiddenFor text[], revision integer`,
  'identity_security_events v5 (elastic)': `
    tenantId keyword, eventId keyword, position long, timestamp date, type keyword, principalId keyword,
    principalType keyword, clientId keyword, actor keyword, severity keyword, summary text,
    details object (not indexed), revision long`,
  'platform_streams v1 (postgres)': `
    tenantId text, stream text, context text, aggregate text, id text, firstRevision integer, firstAt timestamptz,
    revision integer, lastAt timestamptz, lastType text`,
  'platform_events v1 (postgres)': `
    tenantId text, eventId text, stream text, revision integer, position bigint, type text, correlationId text,
    causationId text, commandId text, at timestamptz`,
  'platform_forgotten_keys v1 (postgres)': `
    tenantId text, keyId text, revision integer`,
  'ratelimit_usage v1 (postgres)': `
    tenantId text, quotaId text, startsAt timestamptz, hour text, endsAt timestamptz, used bigint,
    usedAt timestamptz, revision integer`,
  'editor_documents v2 (postgres)': `
    tenantId text, documentId text, title text, plainTitle text, headVersion integer, homeRegion text,
    createdBy text, createdAt timestamptz, updatedAt timestamptz, status text, trashedAt timestamptz, linkRole text,
    copiedFrom jsonb, snapshot jsonb, revision integer`,
  'editor_members v2 (postgres)': `
    tenantId text, documentId text, principalId text, role text, byLink boolean, joinedAt timestamptz,
    appointedBy text, appointedAt timestamptz, revision integer`,
  'editor_invitations v1 (postgres)': `
    tenantId text, documentId text, invitationId text, title text, role text, principalId text, invitedBy text,
    createdAt timestamptz, expiresAt timestamptz, status text, acceptedBy text, endedAt timestamptz,
    revision integer`,
  'editor_versions v2 (postgres)': `
    tenantId text, documentId text, entryId text, kind text, version integer, fromVersion integer, author text,
    startedAt timestamptz, at timestamptz, name text, restoredVersion integer, revision integer`,
  'editor_activity v2 (postgres)': `
    tenantId text, documentId text, nodeId text, version integer, opId text, type text, actorId text,
    at timestamptz, revision integer`,
};

const mappingText = ({ type, ...more }: FieldMapping): string => {
  if (type === 'object') return `${type} (not indexed)`;
  return Object.keys(more).length === 0 ? type : `${type} ${JSON.stringify(more)}`;
};

const fieldTexts = (view: View): readonly string[] => {
  if (view.store === 'postgres') return Object.entries(view.columns).map(([column, type]) => `${column} ${type}`);
  if (view.store === 'elastic')
    return [
      ...Object.entries(view.mappings).map(([field, mapping]) => `${field} ${mappingText(mapping)}`),
      ...(view.settings === undefined ? [] : [`settings ${JSON.stringify(view.settings)}`]),
    ];
  return [];
};

const rule = { name: 'test_rules', version: 1, key: ['tenantId'] as const };
const rowFields = { tenantId: text('TenantId', { maxLength: 63 }), revision: integer(0) };

describe('definitions of views', () => {
  it('stand as they did when the version was given', () => {
    const derived = projections.map(({ view }) => [
      `${view.name} v${view.version} (${view.store})`,
      fieldTexts(view).join(', '),
    ]);
    const pinned = Object.entries(definitions).map(([view, fields]) => [view, fields.trim().replaceAll(/\s+/g, ' ')]);
    assert.deepEqual(Object.fromEntries(derived), Object.fromEntries(pinned));
  });

  it('take what a view names in place of what its row codec says', () => {
    const own = { position: nullable(t.string), tags: t.array(t.string), share: finite, vector: t.array(finite) };
    const Row = record('RuleRow', { ...rowFields, ...own });
    const { columns } = table({ ...rule, row: Row, columns: { position: 'bigint' } });
    const tenant = { tenantId: 'text', revision: 'integer' };
    const given = { position: 'bigint', tags: 'text[]', share: 'double precision', vector: 'jsonb' };
    assert.deepEqual(columns, { ...tenant, ...given });
    const vector = { type: 'dense_vector', dims: 2, similarity: 'cosine' } as const;
    const { mappings } = index({ ...rule, row: Row, mappings: { tags: { type: 'text' }, vector } });
    assert.deepEqual(
      [mappings.position, mappings.tags, mappings.share, mappings.vector],
      [{ type: 'keyword' }, { type: 'text' }, { type: 'double' }, vector],
    );
  });

  it('are refused for a field from which no column follows', () => {
    const Row = record('RuleRow', { ...rowFields, share: t.unknown });
    assert.throws(() => table({ ...rule, row: Row }), /no column follows from unknown/);
  });
});

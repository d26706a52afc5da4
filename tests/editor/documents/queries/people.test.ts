/** Names that a person reads without a scope for principals: of people that share documents with it. */
import assert from 'node:assert/strict';
import type { Instant } from '../../../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../../../domain/kernel/ids';
import { documentInvitationsView } from '../../../../projections/editor/invitations/view';
import { documentMembersView } from '../../../../projections/editor/members/view';
import { principalsView } from '../../../../projections/identity/principals/view';
import { listDocumentPeople } from '../../../../read-api/editor/people';
import { cursorsSignedWith } from '../../../../read-api/kernel/pagination';
import { createViewPositions } from '../../../../read-api/kernel/read-your-writes';
import { principalRow } from '../../../identity/read-api/fixture';
import { createSettableViews } from '../../../kernel/read-api/view-readers';
import { noon } from '../examples';
import { ada } from '../routes/fixture';

const tenantId = ada.tenantId as TenantId;
const documentOf = (name: string): never => `00000000-0000-4000-8000-0000000000${name}` as never;

const member = (document: string, principalId: string, role: 'owner' | 'viewer') => ({
  tenantId,
  documentId: documentOf(document),
  principalId: principalId as PrincipalId,
  role,
  byLink: false,
  joinedAt: noon as Instant,
  appointedBy: null,
  appointedAt: null,
  revision: 0,
});

const invitation = (document: string, invitedBy: string, principalId: string) => ({
  tenantId,
  documentId: documentOf(document),
  invitationId: documentOf(document),
  title: 'Plan' as never,
  role: 'viewer' as const,
  principalId: principalId as PrincipalId,
  invitedBy: invitedBy as PrincipalId,
  createdAt: noon as Instant,
  expiresAt: noon as Instant,
  status: 'open' as const,
  acceptedBy: null,
  endedAt: null,
  revision: 0,
});

const namesFor = async (wanted: readonly string[]): Promise<readonly (string | null)[]> => {
  const views = createSettableViews();
  const people = ['ada', 'bob', 'cleo', 'dan', 'eve'];
  await views.write(
    principalsView,
    1n,
    people.map((id) => principalRow({ tenantId, principalId: id as PrincipalId, name: `${id} by name` as never })),
  );
  await views.write(documentMembersView, 1n, [
    member('01', 'ada', 'owner'),
    member('01', 'bob', 'viewer'),
    member('02', 'eve', 'owner'),
    member('03', 'cleo', 'owner'),
  ]);
  await views.write(documentInvitationsView, 1n, [invitation('03', 'cleo', 'ada'), invitation('01', 'ada', 'dan')]);
  const answer = await listDocumentPeople.handle(
    { views, positions: createViewPositions(views), cursors: cursorsSignedWith('c'.repeat(43)) },
    {
      identity: ada,
      params: {},
      query: { principalIds: wanted.join(',') as never },
      headers: {},
      body: undefined,
      requestId: 'r',
      target: '/',
      signal: new AbortController().signal,
    },
  );
  assert.ok('body' in answer);
  return (answer.body as { readonly items: readonly { readonly name: string | null }[] }).items.map(({ name }) => name);
};

describe('names of people in documents', () => {
  it('are those of the caller, co-members, whom the caller invited and who invited the caller', async () => {
    assert.deepEqual(await namesFor(['ada', 'bob', 'cleo', 'dan', 'eve', 'nobody']), [
      'ada by name',
      'bob by name',
      'cleo by name',
      'dan by name',
    ]);
  });

  it('are not answered where no document is shared', async () => assert.deepEqual(await namesFor(['eve']), []));
});

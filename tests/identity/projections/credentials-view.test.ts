import assert from 'node:assert/strict';
import { authenticators } from '../../../domain/identity/authenticators/events';
import { issuance } from '../../../domain/identity/issuance/events';
import { principals } from '../../../domain/identity/principal/events';
import type { DomainEvent } from '../../../domain/kernel/family';
import { forgotten } from '../../../domain/kernel/secret';
import { credentialsProjection } from '../../../projections/identity/credentials/project';
import type { CredentialRow } from '../../../projections/identity/credentials/view';
import { credentialId, evening, issued, noon, principalId } from '../examples';
import { rowsAfter, token } from './rows';
import { eventsOfStory, type Story, story } from './story';

const principalStory = story<DomainEvent>({
  family: principals as unknown as Story<DomainEvent>['family'],
  stream: (tenant) => `identity.principal-${tenant}.${principalId}`,
  lines: [issued()],
});

const labelled = (label: string | typeof forgotten) =>
  story<DomainEvent>({
    family: authenticators as unknown as Story<DomainEvent>['family'],
    stream: (tenant) => `identity.authenticators-${tenant}.${principalId}`,
    lines: [{ type: 'CredentialLabelled', data: { principalId, credentialId, label } }],
  });

const tokensAt = (...instants: readonly string[]) =>
  story<DomainEvent>({
    family: issuance as unknown as Story<DomainEvent>['family'],
    stream: (tenant) => `identity.issuance-${tenant}.2026013112`,
    lines: instants.map((issuedAt, index) => ({
      type: 'TokenIssued',
      data: { ...token.data, jti: `t-${index}`, issuedAt },
    })),
  });

const rowAfter = async (...stories: readonly Story<DomainEvent>[]): Promise<CredentialRow> => {
  const events = [principalStory, ...stories].flatMap((one) => eventsOfStory(one));
  const inOrder = events.map((event, index) => ({ ...event, position: BigInt(index + 1) }));
  const [row] = (await rowsAfter(credentialsProjection, [inOrder])) as unknown as readonly CredentialRow[];
  return row ?? assert.fail('no row');
};

describe('credentials of principals', () => {
  it('say by whom they were created, and that they were not used', async () => {
    const { createdBy, createdAt, expiresAt, label, lastUsedAt } = await rowAfter();
    assert.deepEqual([createdBy, createdAt, expiresAt, label, lastUsedAt], ['p-admin', noon, evening, null, null]);
  });

  it('have the label that they were issued with, until it is erased', async () => {
    const { label, revision } = await rowAfter(labelled('Laptop of Ada'));
    assert.deepEqual([label, revision], ['Laptop of Ada', 0]);
    assert.equal((await rowAfter(labelled(forgotten))).label, null);
  });

  it('say when they last got a token, to the minute', async () => {
    const tokens = tokensAt('2026-01-31T12:00:59.999Z', '2026-01-31T12:07:12.345Z');
    const { lastUsedAt, revision } = await rowAfter(tokens);
    assert.deepEqual([lastUsedAt, revision], ['2026-01-31T12:07:00.000Z', 0]);
  });

  it('are not used by tokens of a client', async () => {
    const ofClient = tokensAt(noon);
    const lines = ofClient.lines.map((line) => ({ ...line, data: { ...line.data, credentialId: null } }));
    assert.equal((await rowAfter({ ...ofClient, lines })).lastUsedAt, null);
  });
});

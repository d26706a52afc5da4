/** What events refer to outside of the log, by every stored version of every event. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openReferenceReaders } from '../../../domain/aggregates';
import { contexts } from '../../../domain/contexts';
import type { OutsideReference } from '../../../domain/kernel/references';
import { historyOf, type Line } from '../../support/domain/event-history';

const histories: readonly Line[] = contexts
  .filter(({ name }) => existsSync(join(__dirname, '..', '..', 'history', `${name}.jsonl`)))
  .flatMap(({ name }) => historyOf(name));

interface ReadLine extends Line {
  readonly stream?: string;
}

/** Names of what is referred to after the lines, each of a stream of its own unless it names one. */
const referredBy = (lines: readonly ReadLine[]): readonly OutsideReference[] => {
  const readers = openReferenceReaders();
  const found = new Map<string, OutsideReference>();
  lines.forEach(({ stream, ...line }, index) => {
    const event = { stream: stream ?? `workflow.thing-acme.${index}`, ...line };
    for (const read of readers) {
      const { added = [], removed = [] } = read(event);
      for (const reference of added) found.set(`${reference.owner} ${reference.name}`, reference);
      for (const [id, { owner }] of found) if (removed.includes(owner)) found.delete(id);
    }
  });
  return [...found.values()];
};

/** Values of fields that are called the key of something, and have the form of a key of a blob. */
const blobKeysIn = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([field, inner]) =>
    typeof inner === 'string' && /Key$/.test(field) && inner.includes('/') ? [inner] : blobKeysIn(inner),
  );
};

const ofType = (type: string): Line =>
  histories.find((line) => line.type === `${type}.v1`) ?? assert.fail(`there is no ${type}`);

describe('what events refer to outside of the log', () => {
  it('is every blob that a field of any of them names', () => {
    const artifact = ofType('workflow.ArtifactCreated');
    const { artifactId } = artifact.data;
    const stream = `workflow.artifact-acme.${artifactId}`;
    const committed = [
      { stream, ...artifact },
      { stream, ...ofType('workflow.ArtifactCommitted') },
    ];
    const blobs = referredBy([...histories, ...committed]).filter(({ kind }) => kind === 'blob');
    const keys = new Set(histories.flatMap(({ data }) => blobKeysIn(data)));
    assert.ok(keys.size >= 4);
    assert.deepEqual([...new Set(blobs.map(({ name }) => name))].sort(), [...keys].sort());
    assert.deepEqual(referredBy([...committed, { stream, ...ofType('workflow.ArtifactDeleted') }]), []);
    assert.deepEqual(referredBy(committed.slice(0, 1)), []);
  });

  it('is the directory of a repository that something was found in, until it is deleted', () => {
    const received = { stream: 'workflow.trigger-acme.1', ...ofType('workflow.TriggerReceived') };
    const { repoId } = received.data;
    const owner = `workflow.repository-acme.${repoId}`;
    assert.deepEqual(referredBy([received]), [{ kind: 'repository', name: `acme/${repoId}.git`, owner }]);
    assert.deepEqual(referredBy([received, { stream: owner, ...ofType('workflow.RepositoryDeleted') }]), []);
    assert.deepEqual(referredBy([ofType('workflow.RepositoryCreated')]), []);
  });

  it('is the signing key in use, where it is not in a device', () => {
    const [created, activated] = [ofType('identity.KeyCreated'), ofType('identity.KeyActivated')];
    const { kid } = created.data as { readonly kid: string };
    const activatedIt = { ...activated, data: { ...activated.data, kid } };
    const retired = { ...ofType('identity.KeyRetired'), data: { kid, retiredAt: '2026-01-31T12:00:00.000Z' } };
    assert.deepEqual(referredBy([created, activatedIt]), [{ kind: 'signing-key', name: kid, owner: kid }]);
    assert.deepEqual(referredBy([created]), []);
    assert.deepEqual(referredBy([created, activatedIt, retired]), []);
    const inDevice = { ...created, data: { ...created.data, keystore: 'pkcs11:septet' } };
    assert.deepEqual(referredBy([inDevice, activatedIt]), []);
  });
});

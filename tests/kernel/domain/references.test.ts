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
    // Of videos by digests: below.
    const isNamed = ({ kind, name }: OutsideReference) =>
      kind === 'blob' && !/\/descriptions\/|\/g0\/|^blocked-/.test(name);
    const blobs = referredBy([...histories, ...committed]).filter(isNamed);
    const keys = new Set(histories.flatMap(({ data }) => blobKeysIn(data)));
    assert.ok(keys.size >= 4);
    assert.deepEqual([...new Set(blobs.map(({ name }) => name))].sort(), [...keys].sort());
    assert.deepEqual(referredBy([...committed, { stream, ...ofType('workflow.ArtifactDeleted') }]), []);
    assert.deepEqual(referredBy(committed.slice(0, 1)), []);
  });

  it('is what is described of a video, by the digests in its events, until it is deleted', () => {
    const stream = 'video.video-acme.v-1';
    const found = ['video.VideoProbed', 'video.RenditionPackaged', 'video.VideoAudioReady'].map((type) => ({
      stream,
      ...ofType(type),
    }));
    const names = referredBy(found).map(({ name }) => name);
    assert.equal(new Set(names).size, 3);
    for (const name of names) assert.match(name, /^videos\/acme\/v-1\/g1\/descriptions\/[0-9a-f]{64}\.json$/);
    assert.deepEqual(referredBy([...found, { stream, ...ofType('video.VideoDeleted') }]), []);
    assert.deepEqual(referredBy([...found, { stream, ...ofType('video.GenerationRetired') }]), []);
    const uploaded = { stream, ...ofType('video.VideoUploaded') };
    assert.equal(referredBy([uploaded]).length, 1);
    assert.deepEqual(referredBy([uploaded, { stream, ...ofType('video.SourceExpired') }]), []);
    const list = 'video.blocklist-acme.recordings';
    const blocked = { stream: list, ...ofType('video.RecordingBlocked') };
    assert.match(referredBy([blocked])[0]?.name ?? '', /^blocked-recordings\/acme\/[0-9a-f]{64}$/);
    assert.deepEqual(referredBy([blocked, { stream: list, ...ofType('video.RecordingUnblocked') }]), []);
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

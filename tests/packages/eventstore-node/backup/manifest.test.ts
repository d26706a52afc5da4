import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft, right } from 'fp-ts/Either';
import {
  encodeManifest,
  type Manifest,
  manifestFile,
  matchesManifest,
  readManifest,
} from '../../../../packages/eventstore-node/src/backup/manifest';
import { useTemporaryDirectory } from '../../../support/files/temporary-directory';

const manifest: Manifest = {
  format: 'eventstore-backup',
  version: 1,
  madeAt: '2026-11-20T12:34:56.123Z',
  nodeVersion: '23.10.6',
  endPosition: 733,
  events: 2,
  streams: 1,
  bytes: 65_536,
  sha256: 'ab'.repeat(32),
};

describe("a backup's manifest", () => {
  const directory = useTemporaryDirectory('manifest');
  const written = (text: string) => {
    writeFileSync(join(directory, manifestFile), text);
    return readManifest(directory);
  };

  it('comes back as it was written', () => {
    for (const endPosition of [733, null])
      assert.deepEqual(written(encodeManifest({ ...manifest, endPosition })), right({ ...manifest, endPosition }));
  });

  it('is refused when it is of another version, not whole, or no JSON', () => {
    for (const field of Object.keys(manifest)) {
      const { [field as keyof Manifest]: _, ...rest } = manifest;
      assert.ok(isLeft(written(JSON.stringify(rest))), field);
    }
    assert.ok(isLeft(written(JSON.stringify({ ...manifest, version: 2 }))));
    assert.ok(isLeft(written(encodeManifest(manifest).slice(0, -10))));
    assert.ok(isLeft(readManifest(join(directory, 'none'))));
  });

  it('agrees with a file only when all it counts is there', () => {
    assert.ok(matchesManifest(manifest, manifest));
    for (const field of ['events', 'streams', 'endPosition'] as const)
      assert.ok(!matchesManifest(manifest, { ...manifest, [field]: 99 }), field);
  });
});

import assert from 'node:assert/strict';
import { isLeft, isRight } from 'fp-ts/Either';
import { fold } from '../../domain/kernel/decider';
import { type ArtifactCommand, artifact } from '../../domain/workflow/artifact/decider';
import type { ArtifactId, Checksum } from '../../domain/workflow/ids';

const artifactId = 'artifact-1' as ArtifactId;
const checksumOf = (digit: string) => `sha256:${digit.repeat(64)}` as Checksum;
const [early, expiresAt, late] = ['2026-01-01', '2026-02-01', '2026-02-02'].map((date) => `${date}T00:00:00.000Z`);

type Create = Extract<ArtifactCommand, { type: 'CreateArtifact' }>;
const create = (changes: object = {}): ArtifactCommand => ({
  type: 'CreateArtifact',
  definition: {
    artifactId,
    runId: 'run-1',
    jobId: 'job-1',
    attempt: 1,
    name: 'coverage',
    storageKey: 'key',
    sizeBytes: 5,
    checksum: checksumOf('a'),
    expiresAt,
    ...changes,
  } as Create['definition'],
});
const commit = (changes: object = {}): ArtifactCommand => ({
  type: 'CommitArtifact',
  artifactId,
  stored: { sizeBytes: 5, checksum: checksumOf('a'), ...changes },
});
const remove: ArtifactCommand = { type: 'DeleteArtifact', artifactId };
const expire = (at: string | undefined): ArtifactCommand =>
  ({ type: 'ExpireArtifact', artifactId, at }) as ArtifactCommand;

/** Types of the events, or the rejection. */
const outcome = (command: ArtifactCommand, ...before: readonly ArtifactCommand[]): string => {
  const state = before.reduce((known, one) => {
    const decided = artifact.decide(one, known);
    return isRight(decided) ? fold(artifact, known, decided.right) : known;
  }, artifact.initial);
  const decided = artifact.decide(command, state);
  return isLeft(decided) ? decided.left.code : decided.right.map(({ type }) => type).join();
};

describe('an artifact', () => {
  it('is created once, and never with other bytes', () => {
    assert.equal(outcome(create()), 'ArtifactCreated');
    assert.equal(outcome(create({ expiresAt: late }), create()), '');
    assert.equal(outcome(create({ checksum: checksumOf('b') }), create()), 'artifact-exists');
    assert.equal(outcome(create({ sizeBytes: 6 }), create(), commit()), 'artifact-exists');
    assert.equal(outcome(create(), create(), commit(), remove), 'artifact-deleted');
  });

  it('is committed with the bytes that were announced only', () => {
    assert.equal(outcome(commit()), 'artifact-unknown');
    assert.equal(outcome(commit({ sizeBytes: 4 }), create()), 'artifact-differs');
    assert.equal(outcome(commit({ checksum: checksumOf('b') }), create()), 'artifact-differs');
    assert.equal(outcome(commit({ checksum: null }), create()), 'artifact-differs');
    assert.equal(outcome(commit(), create()), 'ArtifactCommitted');
    assert.equal(outcome(commit(), create(), commit()), '');
    assert.equal(outcome(commit(), create(), expire(early)), 'artifact-deleted');
  });

  it('is deleted once it is committed', () => {
    assert.equal(outcome(remove), 'artifact-unknown');
    assert.equal(outcome(remove, create()), 'artifact-uncommitted');
    assert.equal(outcome(remove, create(), commit()), 'ArtifactDeleted');
    assert.equal(outcome(remove, create(), commit(), remove), '');
  });

  it('expires at its time, or before where it was never committed', () => {
    assert.equal(outcome(expire(late)), 'artifact-unknown');
    assert.equal(outcome(expire(early), create()), 'ArtifactDeleted');
    assert.equal(outcome(expire(early), create(), commit()), '');
    assert.equal(outcome(expire(expiresAt), create(), commit()), 'ArtifactDeleted');
    assert.equal(outcome(expire(late), create(), commit(), remove), '');
  });
});

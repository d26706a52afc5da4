/** Small films, how their processing ends, and workers that run other programs. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { isLeft, right } from 'fp-ts/Either';
import type { Sandboxes } from '../../../packages/sandbox/src/ports';
import { makeFilm, moving, tone } from '../../packages/video-media/made-films';
import { eventually } from '../waiting/eventually';
import type { VideoProcessing, WorkerPorts } from './processing-stage';

const mpeg4 = ['-c:v', 'mpeg4', '-q:v', '8'] as const;
export const shortFilm = (directory: string): string =>
  makeFilm(join(directory, 'short.mp4'), [...moving(8, '160x90', '10'), ...tone(8), ...mpeg4, '-c:a', 'aac']);

/** Programs that workers run in place of others. */
export const replacing = (change: (argv: readonly string[]) => readonly string[]) => {
  const changed = (real: Sandboxes): Sandboxes => ({
    ...real,
    prepare: async (request) => {
      const prepared = await real.prepare(request);
      if (isLeft(prepared)) return prepared;
      const sandbox = prepared.right;
      const exec: typeof sandbox.exec = (program) => sandbox.exec({ ...program, argv: change(program.argv) });
      return right({ ...sandbox, exec });
    },
  });
  return ({ adapters, work }: WorkerPorts): WorkerPorts => ({
    adapters: { ...adapters, sandboxes: changed(adapters.sandboxes) },
    work,
  });
};

/** All that lies below the video's prefix, without the name of the upload, and what is published. */
export const endOf = async (stage: VideoProcessing, videoId: string) => {
  const { facts, failure } = await stage.stateOf(videoId);
  const prefix = `videos/acme/${videoId}/`;
  const objects = (await stage.objects()).filter((key) => key.startsWith(prefix));
  return {
    failure,
    manifest: facts.manifest?.manifestSha256,
    thumbnails: facts.thumbnails,
    fingerprint: facts.fingerprint,
    packaged: [...facts.packaged],
    objects: objects.map((key) => key.slice(prefix.length)).filter((key) => key.startsWith('g1/')),
  };
};

export const untilReady = async (stage: VideoProcessing, videoId: string): Promise<void> => {
  await eventually(async () => {
    await stage.endPauses();
    const { isReady, failure } = await stage.stateOf(videoId);
    assert.ok(isReady || failure !== undefined);
  });
};

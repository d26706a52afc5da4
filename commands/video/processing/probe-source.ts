/** Finds out what the source is, once, and plans what is made of it. */
import { open } from 'node:fs/promises';
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { VideoFact } from '../../../domain/video/video/decider';
import { isProtectable, type Rendition } from '../../../domain/video/video/events';
import type { LocalCopies } from '../../../infra/ports/files/local-copies';
import { containerOf } from '../../../packages/file-readers/src/media/containers';
import {
  describeArguments,
  describeSource,
  filmStreamIndex,
  isEncodable,
  mainAudio,
  packetArguments,
  packetScan,
  planLadder,
  planRemux,
  refuseByHeaders,
  type SourceDescription,
  type SourceFailure,
  type SourceFile,
} from '../../../packages/video-media/src';
import { inside, type MediaSandbox, withSource } from './media-programs';
import { generationKey, type PerformStep, refuseVideo, type StepFailure, type StepRun } from './step-run';
import { storeDescription } from './stored-descriptions';

/** Signatures of containers lie in so many first bytes. */
const headBytes = 8_192;

const readHead = async (path: string): Promise<Buffer> => {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};

const refused = ({ code, detail }: SourceFailure): Either<StepFailure, never> => refuseVideo(code, detail);

export const openSource = async ({ sourcePath }: MediaSandbox): Promise<Either<StepFailure, SourceFile>> => {
  const container = containerOf(await readHead(sourcePath));
  if (container === undefined)
    return refuseVideo(
      'UNSUPPORTED_TYPE',
      'The type of the file is not one of films. Export it as MP4, and upload that.',
    );
  return right({ path: inside.source, container });
};

/** Longer output of ffprobe is no description of 64 streams. */
const maxDescription = 4_000_000;

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
};

const describe = async (sandbox: MediaSandbox, source: SourceFile): Promise<Either<StepFailure, SourceDescription>> => {
  let text = '';
  const described = await sandbox.run({
    ...{ program: 'ffprobe', args: describeArguments(source), mayFail: true, isAwaited: true },
    onLine: (line) => {
      if (text.length < maxDescription) text += `${line}\n`;
    },
  });
  if (isLeft(described)) return described;
  const probe = jsonOf(text);
  const headers = refuseByHeaders(probe);
  if (isLeft(headers)) return refused(headers.left);
  const scan = packetScan();
  const args = packetArguments(source, filmStreamIndex(probe) ?? 0);
  const scanned = await sandbox.run({
    ...{ program: 'ffprobe', args, mayFail: true, isAwaited: true },
    onLine: scan.add,
  });
  if (isLeft(scanned)) return scanned;
  const found = describeSource({ container: source.container, probe, scan: scan.result() });
  return isLeft(found) ? refused(found.left) : found;
};

/** Every browser plays H.264; browsers that play the codec of the generation, too, take that. */
const renditionsOf = ({ state: { codec } }: StepRun, source: SourceDescription): Either<StepFailure, Rendition[]> => {
  const ladder = planLadder(source);
  const played = ladder.map(({ label }): Rendition => ({ resolution: label, codec: 'h264' }));
  if (codec === 'h264') return right(played);
  const others = ladder.filter((rung) => isEncodable(codec, rung));
  if (others.length === 0)
    return refuseVideo('TOO_SMALL', 'The pictures of the film are too small for the codec that was chosen.');
  return right([...played, ...others.map(({ label }): Rendition => ({ resolution: label, codec }))]);
};

const plan = (step: StepRun, source: SourceDescription): Either<StepFailure, VideoFact> => {
  const { videoId, generation } = step.job.payload;
  const remux = planRemux(source);
  const renditions = renditionsOf(step, source);
  if (isLeft(renditions)) return renditions;
  return right({
    type: 'LadderPlanned',
    data: {
      ...{ videoId, generation },
      renditions: renditions.right,
      copied: isLeft(remux) ? null : { resolution: remux.right.rendition.label, codec: 'h264' },
      hasAudio: mainAudio(source) !== undefined,
      isAudioCopied: !isLeft(remux) && remux.right.copiedAudio !== null,
      hasCaptions: source.subtitles.some(({ isText }) => isText),
    },
  });
};

/** Whether the generation is encrypted is fixed here, where the codec decides whether it can be. */
const requireProtectable = async (step: StepRun): Promise<Either<StepFailure, undefined>> => {
  if (isProtectable(step.state.codec)) return right(undefined);
  const key = await generationKey(step);
  if (isLeft(key) || key.right === undefined) return isLeft(key) ? key : right(undefined);
  key.right.bytes.fill(0);
  return refuseVideo('CODEC_NOT_PROTECTED', 'The video is to be encrypted, which this codec cannot be here.');
};

/** ffprobe writes nothing. */
const roomBytes = 67_108_864;

export const probeSource =
  (copies: LocalCopies): PerformStep =>
  (step) =>
    withSource(step, copies, {
      roomBytes,
      use: async (sandbox) => {
        const protectable = await requireProtectable(step);
        if (isLeft(protectable)) return protectable;
        const opened = await openSource(sandbox);
        if (isLeft(opened)) return opened;
        step.run.reportProgress({ fraction: 0, detail: 'The film is examined.' });
        const described = await describe(sandbox, opened.right);
        if (isLeft(described)) return described;
        const source = described.right;
        const stored = await storeDescription(step, { kind: 'source', source });
        if (isLeft(stored)) return stored;
        const { videoId, generation } = step.job.payload;
        const { displayedWidth: width, displayedHeight: height } = source.video;
        const probed: VideoFact = {
          type: 'VideoProbed',
          data: {
            ...{ videoId, generation, width, height, descriptionSha256: stored.right },
            durationMilliseconds: Math.round(source.durationSeconds * 1_000),
          },
        };
        const planned = plan(step, source);
        return isLeft(planned) ? planned : right([probed, planned.right]);
      },
    });

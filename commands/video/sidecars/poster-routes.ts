/** Routes of the poster: a picture of the film at a time, one that is uploaded, or again the one that was found in the film. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { decimal, record, text } from '../../../domain/kernel/codec';
import { VideoId } from '../../../domain/video/ids';
import { uploadedPictureKey } from '../../../domain/video/keys';
import { videoLimits } from '../../../domain/video/limits';
import { PosterId, type PosterSource } from '../../../domain/video/sidecars/events';
import { invalidInput, type Problem, problemOf } from '../../../infra/server/http/problem';
import type { NamedVideo } from '../../../infra/server/video/video-access';
import { pictureTypeOf } from '../../../packages/video-media/src';
import { commandRoute } from '../../kernel/command-route';
import { OneVideoPath, streamSourceOf } from '../access/access-route';
import { sidecarProblems } from '../problems';
import { refuseSidecar, type SidecarDeps, sidecarRouteDefaults, sidecarSubject } from './sidecar-subject';
import { storeSidecar } from './store-sidecar';

/** Four characters for three bytes. */
const pictureCharacters = 4 * Math.ceil(videoLimits.pictureBytes / 3);

const NewPoster = record(
  'NewVideoPoster',
  {},
  {
    positionSeconds: decimal(0, videoLimits.positionSeconds),
    picture: text('PosterPicture', {
      maxLength: pictureCharacters,
      pattern: '[A-Za-z0-9+/]+={0,2}',
      expected: `a JPEG, PNG or WebP of at most ${videoLimits.pictureBytes} bytes, in Base64`,
      description: 'JPEG, PNG or WebP, in Base64 (RFC 4648, section 4).',
    }),
  },
);

const PosterAnswer = record('RequestedVideoPoster', { videoId: VideoId, posterId: PosterId });

const storePicture = async (
  deps: SidecarDeps,
  { tenant, videoId }: NamedVideo,
  picture: string,
): Promise<Either<Problem, PosterSource>> => {
  const bytes = Buffer.from(picture, 'base64');
  if (pictureTypeOf(bytes) === undefined)
    return refuseSidecar('picture-type-unsupported', 'The picture is not a JPEG, PNG or WebP.');
  const stored = await storeSidecar(
    { ...streamSourceOf(deps), blobs: deps.blobs },
    { tenant, videoId },
    {
      keyOf: (sha256) => uploadedPictureKey(tenant, videoId, sha256),
      bytes,
      contentType: 'application/octet-stream',
    },
  );
  if (isLeft(stored)) return left(problemOf(stored.left, sidecarProblems));
  return right({ origin: 'picture', positionMilliseconds: null, pictureSha256: stored.right });
};

const oneOfBoth = left(invalidInput([{ pointer: '/body', expected: 'either positionSeconds or picture' }]));

export const chooseVideoPoster = commandRoute<SidecarDeps>()({
  ...sidecarRouteDefaults,
  method: 'put',
  path: '/api/videos/:videoId/poster',
  operation: 'chooseVideoPoster',
  summary: 'Choose the poster of a video',
  description: `For the owner and administrators. Either \`positionSeconds\`: the picture of the film that is shown then, once a rendition is there; or \`picture\`: one of at most ${videoLimits.pictureBytes} bytes, which is encoded again with 1,280 pixels at most. It is made by a worker, in seconds; the poster before is shown until then. \`getVideoPoster\` says how it went.`,
  params: OneVideoPath,
  body: NewPoster,
  answer: PosterAnswer,
  example: { positionSeconds: 12.5 },
  prepare: async ({ params: { videoId }, body: { positionSeconds, picture }, derivedId, ...request }, deps) => {
    if ((positionSeconds === undefined) === (picture === undefined)) return oneOfBoth;
    const subject = await sidecarSubject(deps, request, videoId);
    if (isLeft(subject)) return subject;
    const { stream, by, played } = subject.right;
    if (picture === undefined && played.facts.packaged.size === 0)
      return refuseSidecar('not-playable', 'Nothing of the video is processed yet.');
    const positionMilliseconds = Math.round((positionSeconds ?? 0) * 1_000);
    const { durationMilliseconds = positionMilliseconds } = played.facts.probe ?? {};
    if (positionMilliseconds > durationMilliseconds)
      return left(
        invalidInput([
          { pointer: '/body/positionSeconds', expected: `at most ${durationMilliseconds / 1_000}, the length` },
        ]),
      );
    const source: Either<Problem, PosterSource> =
      picture === undefined
        ? right({ origin: 'frame', positionMilliseconds, pictureSha256: null })
        : await storePicture(deps, { tenant: request.tenantId, videoId }, picture);
    if (isLeft(source)) return source;
    const posterId = derivedId('poster') as PosterId;
    const command = { type: 'RequestPoster' as const, videoId, posterId, source: source.right, by };
    return right({ stream, command, answer: { videoId, posterId } });
  },
});

export const resetVideoPoster = commandRoute<SidecarDeps>()({
  ...sidecarRouteDefaults,
  method: 'delete',
  path: '/api/videos/:videoId/poster',
  operation: 'resetVideoPoster',
  summary: 'Show the poster that was found in the film again',
  params: OneVideoPath,
  answer: record('ResetVideoPoster', { videoId: VideoId }),
  prepare: async ({ params: { videoId }, ...request }, deps) => {
    const subject = await sidecarSubject(deps, request, videoId);
    if (isLeft(subject)) return subject;
    const { stream, by } = subject.right;
    return right({ stream, command: { type: 'ResetPoster' as const, videoId, by }, answer: { videoId } });
  },
});

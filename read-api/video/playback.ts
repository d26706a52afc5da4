/** What a player needs of a video: signed addresses, and the proof of this playback. Checked against the log's end, so what was revoked before is not answered. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type Instant, integer, listOf, nullable, record, text } from '../../domain/kernel/codec';
import { TenantId } from '../../domain/kernel/ids';
import {
  accessFactsOf,
  isVisible,
  laterEpisodes,
  type PlaybackAccess,
  playbackAccess,
  type Viewer,
} from '../../domain/video/access/state';
import { VideoId } from '../../domain/video/ids';
import { manifestFolder, manifestNames, sidecarsOf } from '../../domain/video/keys';
import { videoLimits } from '../../domain/video/limits';
import { displayedCaptions } from '../../domain/video/sidecars/state';
import { Resolution, VideoCodec } from '../../domain/video/video/events';
import {
  type PlayedGeneration,
  playedGeneration,
  renditionLabel,
  renditionName,
  type UploadedVideo,
  videoFailure,
} from '../../domain/video/video/state';
import { guestId, isGuest } from '../../domain/video/views/guest';
import { type Problem, problem, problemOf } from '../../infra/server/http/problem';
import { type Answer, route } from '../../infra/server/http/routing/route';
import { signDeliveryPrefix } from '../../infra/server/video/delivery-address';
import { type EdgeHints, edgeBaseUrl, readLatencies } from '../../infra/server/video/edges';
import { readPlaybackSession, signPlaybackSession } from '../../infra/server/video/playback-session';
import { playbackProblems } from '../../infra/server/video/problems';
import { readLink } from '../../infra/server/video/share-link';
import {
  type NamedVideo,
  readSidecars,
  readVideo,
  requireVideo,
  type VideoWithAccess,
} from '../../infra/server/video/video-access';
import { deviceIdOf, strangerWith, viewerOf } from '../../infra/server/video/viewers';
import { videosView } from '../../projections/video/videos/view';
import { posterOf } from './poster';
import { readProblems, scopes, VideoPath, type VideoReading } from './video-reading';

/** Of signed addresses: longer than a film, shorter than a day. */
const addressSeconds = 6 * 3_600;
/** Of the proof, and so of licences. */
const proofSeconds = 86_400;
/** Later episodes that are looked at for one that is there. */
const triedEpisodes = 20;

const Address = text('PlaybackAddress', { maxLength: 2_000, examples: ['/delivery/1767225600.k1.s/acme/v/g1/'] });

const playback = {
  /** Of the HLS master playlist, signed. */
  manifestUrl: Address,
  /** Of the DASH manifest, signed. */
  dashUrl: Address,
  /** Null: the video is not protected. */
  licenseUrl: nullable(Address),
  subtitleTracks: listOf(
    'VideoSubtitleTracks',
    record('VideoSubtitleTrack', {
      language: text('SubtitleLanguage', { maxLength: 35, examples: ['en'] }),
      label: text('SubtitleLabel', { maxLength: 100 }),
      url: Address,
      /** By a machine, from the sound. */
      isRecognized: t.boolean,
    }),
    100,
  ),
  /** The next one of its series that the viewer may see. */
  nextEpisodeId: nullable(VideoId),
  /** What is published now, the smallest first; the manifests have all of them. */
  variants: listOf(
    'VideoVariants',
    record('VideoVariant', {
      resolution: Resolution,
      codec: VideoCodec,
      bitrateKbps: integer(1),
      sizeBytes: integer(1),
      /** Of its HLS playlist. */
      manifestUrl: Address,
    }),
    12,
  ),
  /** WebVTT that names parts of sheets of thumbnails. */
  thumbnailsUrl: nullable(Address),
  posterUrl: nullable(Address),
  /** For heartbeats and licences: of this viewer, this video and this playback. */
  playbackProof: text('PlaybackProof', { maxLength: 2_000 }),
  /** Where the viewer left; 0 where that is not known. */
  positionSeconds: integer(0),
  durationSeconds: integer(0),
  generation: integer(1),
};
const Playback = record('VideoPlayback', playback);
type Playback = t.TypeOf<typeof Playback>;

const SharedPlayback = record('SharedVideoPlayback', {
  ...playback,
  /** Null: it is not known yet, or its key is gone. */
  title: nullable(text('SharedVideoTitle', { maxLength: videoLimits.titleLength, examples: ['Harvest 2026'] })),
  /** Null: there is none, or as for the title. */
  description: nullable(text('SharedVideoDescription', { content: 'lines', maxLength: videoLimits.descriptionLength })),
});

interface PlaybackRequest {
  readonly named: NamedVideo;
  readonly viewer: Viewer;
  readonly session: { readonly viewerId: string; readonly deviceId?: string; readonly linkId?: string };
  readonly hints: EdgeHints;
  /** Beneath which licences are. */
  readonly path: string;
}

const refuse = (code: keyof typeof playbackProblems, detail: string): Either<Problem, never> =>
  left(problemOf({ kind: 'rejection', code, detail }, playbackProblems));

const refuseAccess = (access: Exclude<PlaybackAccess, { kind: 'admitted' }>): Either<Problem, never> =>
  access.kind === 'unknown'
    ? refuse('video-unknown', 'There is no such video, or it is not shared with the caller.')
    : refuse('entitlement-required', `The video is played with one of these: ${access.kinds.join(', ')}.`);

interface PublishedVideo {
  readonly played: PlayedGeneration;
  readonly manifestSha256: string;
}

/** A video that failed is not played, whatever of it was published before; one that was ready is, whatever becomes of its next generation. */
const publishedOf = (state: UploadedVideo | undefined): Either<Problem, PublishedVideo> => {
  if (state === undefined) return refuse('not-playable', 'The upload of the video is not completed.');
  const failure = videoFailure(state);
  const played = playedGeneration(state);
  const { manifest } = played.facts;
  if (failure !== undefined)
    return refuse('video-failed', `${failure.code} at the stage ${failure.stage}: ${failure.detail}`);
  return manifest === undefined
    ? refuse('not-playable', 'The video is being processed; nothing of it can be played yet.')
    : right({ played, manifestSha256: manifest.manifestSha256 });
};

/** The seconds after which the entitlement has ended, or at most as many. */
const secondsWithin = (at: number, until: Instant | null, most: number): number =>
  until === null ? at + most : Math.min(at + most, Math.floor(Date.parse(until) / 1_000));

const nextEpisode = async (
  { source }: VideoReading,
  { named: { tenant, videoId }, viewer }: PlaybackRequest,
  { access, video: { ownerId } }: VideoWithAccess,
): Promise<Either<Problem, VideoId | null>> => {
  const seen = laterEpisodes(access, videoId).filter((one) => isVisible(access, { videoId: one, ownerId }, viewer));
  for (const next of seen.slice(0, triedEpisodes)) {
    const found = await readVideo(source, { tenant, videoId: next });
    if (isLeft(found)) return left(problemOf(found.left, {}));
    if (found.right !== undefined) return right(next);
  }
  return right(null);
};

/** A protected generation has a licence, until its key is destroyed. One that was to be protected is never played in the clear. */
const licenseOf = ({ access, video: { videoId } }: VideoWithAccess, generation: number): Either<Problem, boolean> => {
  const { protection: wanted, generations } = accessFactsOf(access, videoId);
  const protection = generations.get(generation);
  if (protection === undefined && wanted !== 'none')
    return refuse('not-playable', 'The video is to be encrypted, and what is published of it is not.');
  if (protection?.isDestroyed === true) return refuse('video-recalled', 'The keys of the video were destroyed.');
  return right(protection !== undefined && protection.keyId !== null);
};

const noKeys = problemOf(
  { kind: 'fault', code: 'delivery-unavailable', detail: 'VIDEO_DELIVERY_KEYS is not set.' },
  playbackProblems,
);

const linkIdIn = (
  { deliveryKeys: keys }: VideoReading,
  named: NamedVideo,
  link: string | undefined,
): string | undefined => (link === undefined || keys === undefined ? undefined : readLink(keys, named, link));

const variantsOf = ({ facts: { manifest, packaged } }: PlayedGeneration, manifests: string) =>
  (manifest?.renditions ?? []).flatMap((rendition) => {
    const known = packaged.get(renditionName(rendition));
    if (known === undefined) return [];
    const { bitrateKbps, sizeBytes } = known;
    return [{ ...rendition, bitrateKbps, sizeBytes, manifestUrl: `${manifests}${renditionLabel(rendition)}.m3u8` }];
  });

const answerPlayback = async (reading: VideoReading, request: PlaybackRequest): Promise<Either<Problem, Playback>> => {
  const { named, viewer, session, path, hints } = request;
  const [found, added] = await Promise.all([requireVideo(reading.source, named), readSidecars(reading.source, named)]);
  if (isLeft(found)) return found;
  if (isLeft(added)) return added;
  const { video, access } = found.right;
  const at = reading.clock.now();
  const admitted = playbackAccess(access, video, { viewer, at });
  if (admitted.kind !== 'admitted') return refuseAccess(admitted);
  const published = publishedOf(video.uploaded);
  if (isLeft(published)) return published;
  const { played, manifestSha256 } = published.right;
  const { generation, facts } = played;
  const isLicensed = licenseOf(found.right, generation);
  if (isLeft(isLicensed)) return isLicensed;
  const nextEpisodeId = await nextEpisode(reading, request, found.right);
  if (isLeft(nextEpisodeId)) return nextEpisodeId;
  const { deliveryKeys: keys } = reading;
  if (keys === undefined) return left(noKeys);
  const positionSeconds = await reading.readPosition({ ...named, viewerId: session.viewerId });
  const now = Math.floor(Date.parse(at) / 1_000);
  const durationMilliseconds = facts.probe?.durationMilliseconds ?? 0;
  const { thumbnails } = facts;
  const edge = edgeBaseUrl(reading.edges, named.videoId, hints);
  const until = secondsWithin(now, admitted.until, addressSeconds);
  const baseOf = (of: number): string => `${edge}${signDeliveryPrefix(keys, { ...named, generation: of }, until)}`;
  const base = baseOf(generation);
  const poster = posterOf(named, played, added.right);
  const ownBase = baseOf(sidecarsOf(named).generation);
  const manifests = `${base}${manifestFolder(manifestSha256)}`;
  const playbackProof = signPlaybackSession(keys, {
    ...{ sessionId: reading.random.uuid(), ...named, generation, durationMilliseconds, ...session },
    ...{ issuedAt: now, expiresAt: secondsWithin(now, admitted.until, proofSeconds) },
  });
  return right({
    manifestUrl: `${manifests}${manifestNames.hls}`,
    dashUrl: `${manifests}${manifestNames.dash}`,
    licenseUrl: isLicensed.right ? `${path}/license?playback=${playbackProof}` : null,
    subtitleTracks: displayedCaptions(played, added.right).map(({ language, label, sha256, origin }) => ({
      ...{ language, label, isRecognized: origin === 'recognized' },
      url: `${origin === 'source' ? base : ownBase}captions/${sha256}.vtt`,
    })),
    nextEpisodeId: nextEpisodeId.right,
    variants: variantsOf(played, manifests),
    thumbnailsUrl: thumbnails === undefined ? null : `${base}thumbnails/${thumbnails.thumbnailsSha256}.vtt`,
    posterUrl: poster === undefined ? null : `${baseOf(poster.generation)}thumbnails/${poster.sha256}.jpg`,
    playbackProof,
    positionSeconds,
    durationSeconds: Math.round(durationMilliseconds / 1_000),
    generation,
  });
};

const playbackQuery = {
  link: text('VideoLink', { maxLength: 300, description: 'The secret part of the link that the viewer opened.' }),
  region: text('PlayerRegion', {
    maxLength: 63,
    description: 'Where the player is, to choose the nearest of several edges.',
    examples: ['eu-west-1'],
  }),
  latencies: text('EdgeLatencies', {
    maxLength: 500,
    description: 'Milliseconds that the player measured, by the region of an edge.',
    examples: ['eu-west:35,us:120'],
  }),
};
const PlaybackQuery = record('VideoPlaybackQuery', {}, playbackQuery);

const hintsOf = ({ region, latencies }: t.TypeOf<typeof PlaybackQuery>): EdgeHints => ({
  region,
  latencies: latencies === undefined ? undefined : readLatencies(latencies),
});

const answers = { 200: { description: 'Addresses for six hours, and the proof of this playback.', body: Playback } };

const problems = {
  ...playbackProblems,
  'event-store-unavailable': readProblems['event-store-unavailable'],
};

const answer = (found: Either<Problem, Playback>): Answer =>
  isLeft(found) ? found.left : { status: 200, body: found.right };

const describing =
  'A video that is not shared with the caller answers as one that never was; one that the caller sees and has none of the required entitlements for answers 403. The addresses are signed for six hours, or until the entitlement ends, and are the same for all viewers of an hour; the proof is of this playback alone.';

export const getVideoPlayback = route<VideoReading>()({
  method: 'get',
  path: '/api/videos/:videoId/playback',
  operation: 'getVideoPlayback',
  summary: 'Get what a player needs to play a video',
  description: describing,
  access: { scopes },
  params: VideoPath,
  query: PlaybackQuery,
  answers,
  problems,
  handle: async (reading, { params: { videoId }, query, identity }) => {
    const { tenantId: tenant, principalId: viewerId } = identity;
    if (!TenantId.is(tenant)) return problem('forbidden', 'The tenant of the token is unknown.');
    const named = { tenant, videoId };
    const linkId = linkIdIn(reading, named, query.link);
    const hints = hintsOf(query);
    const session = { viewerId, deviceId: deviceIdOf(identity), ...(linkId === undefined ? {} : { linkId }) };
    const path = `/api/videos/${videoId}`;
    return answer(await answerPlayback(reading, { named, viewer: viewerOf(identity, linkId), session, hints, path }));
  },
});

const SharedPlaybackQuery = record(
  'SharedVideoPlaybackQuery',
  {},
  {
    ...playbackQuery,
    earlierProof: text('EarlierPlaybackProof', {
      maxLength: 2_000,
      description: 'The `playbackProof` that this player had of the video before: it stays the same viewer.',
    }),
  },
);

/** A stranger stays the same viewer while its proof lasts: as long as the window of views. */
const guestOf = ({ deliveryKeys: keys, clock, random }: VideoReading, named: NamedVideo, proof = ''): string => {
  const before =
    keys === undefined ? left('forged' as const) : readPlaybackSession(keys, proof, Date.parse(clock.now()));
  const isOwn =
    !isLeft(before) &&
    before.right.tenant === named.tenant &&
    before.right.videoId === named.videoId &&
    isGuest(before.right.viewerId);
  return isOwn ? before.right.viewerId : guestId(random.uuid());
};

/** A film plays also while its title cannot be read. */
const detailsOf = async ({ views }: VideoReading, { tenant, videoId }: NamedVideo) => {
  const row = await views.find(videosView, tenant, { videoId });
  const { title = null, description = null } = isLeft(row) ? {} : (row.right ?? {});
  return { title, description };
};

export const getSharedVideoPlayback = route<VideoReading>()({
  method: 'get',
  path: '/api/shared-videos/:tenantId/:videoId/playback',
  operation: 'getSharedVideoPlayback',
  summary: 'Get what a player needs to play a public video, or one by its link',
  description: `Without sign-in, and for people of other tenants. ${describing}`,
  access: 'public',
  params: record('SharedVideoPath', { tenantId: TenantId, videoId: VideoId }),
  query: SharedPlaybackQuery,
  answers: { 200: { ...answers[200], body: SharedPlayback } },
  problems,
  handle: async (reading, { params: { tenantId: tenant, videoId }, query }) => {
    const named = { tenant, videoId };
    const linkId = linkIdIn(reading, named, query.link);
    const hints = hintsOf(query);
    const viewerId = guestOf(reading, named, query.earlierProof);
    const session = { viewerId, ...(linkId === undefined ? {} : { linkId }) };
    const path = `/api/shared-videos/${tenant}/${videoId}`;
    const found = await answerPlayback(reading, { named, viewer: strangerWith(linkId), session, hints, path });
    if (isLeft(found)) return found.left;
    return { status: 200, body: { ...found.right, ...(await detailsOf(reading, named)) } };
  },
});

/**
 * Licences of protected videos: the AES-128 key of HLS (RFC 8216, 4.3.2.4) and the ClearKey licence of `cenc` (W3C Encrypted Media Extensions, 9.1). Each
 * one checks the proof of the playback, who brings it on which device, and access at the log's end: what was revoked before is not answered.
 */
import { Readable } from 'node:stream';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type Instant, listOf, oneOf, record, text } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { accessFactsOf, playbackAccess, type Viewer } from '../../../domain/video/access/state';
import { VideoId } from '../../../domain/video/ids';
import { videoFailure } from '../../../domain/video/video/state';
import type { Vault } from '../../../infra/ports/vault';
import { commonProblems, type Problem, problem, problemOf } from '../../../infra/server/http/problem';
import { type Answer, type Identity, route } from '../../../infra/server/http/routing/route';
import { type PlaybackSession, readPlaybackSession } from '../../../infra/server/video/playback-session';
import { playbackProblems } from '../../../infra/server/video/problems';
import type { DeliveryKeys } from '../../../infra/server/video/signed-text';
import { type NamedVideo, requireVideo } from '../../../infra/server/video/video-access';
import { deviceIdOf, strangerWith, viewerOf } from '../../../infra/server/video/viewers';
import type { CommandDeps } from '../../kernel/command-spec';
import { OneVideoPath, streamSourceOf } from '../access/access-route';
import { videoSourceOf } from '../video-source';
import { type ContentKey, openContentKey } from './content-keys';

export interface LicenseDeps extends CommandDeps {
  /** Undefined without Postgres: no protected video is played. */
  readonly vault: Vault | undefined;
  /** Undefined: this installation delivers no videos, and has given no proof. */
  readonly deliveryKeys: DeliveryKeys | undefined;
}

const licenseProblems = {
  ...playbackProblems,
  'playback-unknown': { status: 409, title: 'The proof is not of this playback' },
  'video-not-protected': { status: 409, title: 'The video is not protected' },
  'license-key-unknown': { status: 409, title: 'The key is not one of this video' },
  'license-system-unavailable': { status: 501, title: 'No licence server of this system is set up' },
  'event-store-unavailable': commonProblems['event-store-unavailable'],
  'vault-unavailable': commonProblems['vault-unavailable'],
} as const;

const refusal = (code: keyof typeof licenseProblems, detail: string): Problem =>
  problemOf({ kind: 'rejection', code, detail }, licenseProblems);

const refuse = (code: keyof typeof licenseProblems, detail: string): Either<Problem, never> =>
  left(refusal(code, detail));

const unknownPlayback = () =>
  refuse('playback-unknown', 'The proof is forged, has ended, or is of another viewer, device or video: play again.');

/** Who brings a proof; a person who is not signed in is known by it alone. */
interface Bearer {
  readonly named: NamedVideo;
  readonly identity: Identity | undefined;
}

/** The session, if it is the bearer's own. */
const sessionOf = (
  keys: DeliveryKeys,
  { named: { tenant, videoId }, identity }: Bearer,
  { proof, now }: { readonly proof: string; readonly now: number },
): Either<Problem, PlaybackSession> => {
  const read = readPlaybackSession(keys, proof, now);
  if (isLeft(read)) return unknownPlayback();
  const session = read.right;
  if (session.tenant !== tenant || session.videoId !== videoId) return unknownPlayback();
  const isOwn =
    identity === undefined
      ? session.deviceId === undefined
      : session.viewerId === identity.principalId && session.deviceId === deviceIdOf(identity);
  return isOwn ? right(session) : unknownPlayback();
};

interface License {
  readonly key: ContentKey;
  /** A player may keep it until then. */
  readonly expiresAt: Instant;
}

/** As `license` in the answers of playbacks, which are admitted by the same rule. */
const licenseFor = async (deps: LicenseDeps, bearer: Bearer, proof: string): Promise<Either<Problem, License>> => {
  const { deliveryKeys: keys, vault } = deps;
  if (keys === undefined) return unknownPlayback();
  const at = deps.clock.now();
  const session = sessionOf(keys, bearer, { proof, now: Date.parse(at) });
  if (isLeft(session)) return session;
  const { generation, expiresAt: proofEnds, linkId } = session.right;
  const { named, identity } = bearer;
  const found = await requireVideo(videoSourceOf(streamSourceOf(deps)), named);
  if (isLeft(found)) return found;
  const { video, access } = found.right;
  const viewer: Viewer = identity === undefined ? strangerWith(linkId) : viewerOf(identity, linkId);
  const admitted = playbackAccess(access, video, { viewer, at });
  if (admitted.kind === 'unknown')
    return refuse('video-unknown', 'There is no such video, or it is not shared with the caller.');
  if (admitted.kind === 'entitlement-required')
    return refuse('entitlement-required', `The video is played with one of these: ${admitted.kinds.join(', ')}.`);
  const failure = video.uploaded === undefined ? undefined : videoFailure(video.uploaded);
  if (failure !== undefined) return refuse('video-failed', `${failure.code} at the stage ${failure.stage}.`);
  const protection = accessFactsOf(access, named.videoId).generations.get(generation);
  if (protection === undefined || protection.keyId === null)
    return refuse('video-not-protected', 'The video is played without a licence.');
  if (protection.isDestroyed) return refuse('video-recalled', 'The keys of the video were destroyed.');
  if (vault === undefined) return left(problem('vault-unavailable', 'This installation has no vault.'));
  const key = await openContentKey(vault, protection.keyId);
  if (isLeft(key)) return left(problemOf<string>(key.left, licenseProblems));
  const ends = new Date(proofEnds * 1_000).toISOString() as Instant;
  const expiresAt = admitted.until !== null && admitted.until < ends ? admitted.until : ends;
  return right({ key: key.right, expiresAt });
};

const ProofQuery = record('LicenseQuery', { playback: text('LicenseProof', { maxLength: 2_000 }) });
const SharedVideoPath = record('SharedLicensePath', { tenantId: TenantId, videoId: VideoId });

const describeExpiry =
  '`License-Expires` says until when a player may keep it: a day from the playback on, or the end of the entitlement.';

const keyAnswer = (license: Either<Problem, License>): Answer => {
  if (isLeft(license)) return license.left;
  const { key, expiresAt } = license.right;
  return {
    contentType: 'application/octet-stream',
    length: key.bytes.length,
    headers: { 'License-Expires': expiresAt },
    open: async () => right(Readable.from([key.bytes])),
  };
};

const keyRoute = {
  method: 'get' as const,
  summary: 'Get the AES-128 key of a protected video',
  description: `The 16 bytes that HLS players decrypt segments with, for the proof of a playback. ${describeExpiry}`,
  query: ProofQuery,
  answers: {
    200: {
      description: 'The key; no cache keeps it.',
      bytes: ['application/octet-stream'],
      headers: ['License-Expires'],
    },
  },
  problems: licenseProblems,
};

export const getVideoKey = route<LicenseDeps>()({
  ...keyRoute,
  path: '/api/videos/:videoId/license',
  operation: 'getVideoKey',
  access: { scopes: ['videos:read'] },
  params: OneVideoPath,
  handle: async (deps, { params: { videoId }, query: { playback }, identity }) => {
    const { tenantId: tenant } = identity;
    if (!TenantId.is(tenant)) return problem('forbidden', 'The tenant of the token is unknown.');
    return keyAnswer(await licenseFor(deps, { named: { tenant, videoId }, identity }, playback));
  },
});

export const getSharedVideoKey = route<LicenseDeps>()({
  ...keyRoute,
  path: '/api/shared-videos/:tenantId/:videoId/license',
  operation: 'getSharedVideoKey',
  access: 'public',
  params: SharedVideoPath,
  handle: async (deps, { params: { tenantId: tenant, videoId }, query: { playback } }) =>
    keyAnswer(await licenseFor(deps, { named: { tenant, videoId }, identity: undefined }, playback)),
});

const LicenseSystem = oneOf('LicenseSystem', ['clearkey', 'widevine', 'fairplay', 'playready']);

const LicenseBody = record(
  'ClearKeyRequest',
  {
    /** Ids of keys, base64url. */
    kids: listOf('ClearKeyIds', text('ClearKeyId', { maxLength: 64, examples: ['C1Th9p8MT1SKfGx6HB8eLQ'] }), 20, 1),
  },
  {
    type: oneOf('ClearKeySessionType', ['temporary', 'persistent-license']),
    system: LicenseSystem,
  },
);

const ClearKeyLicense = record('ClearKeyLicense', {
  keys: t.array(
    record('ClearKey', {
      kty: oneOf('ClearKeyType', ['oct']),
      kid: text('ClearKeyOfId', { maxLength: 64 }),
      k: text('ClearKeyValue', { maxLength: 64 }),
    }),
  ),
  type: oneOf('ClearKeyLicenseType', ['temporary']),
});

/** The key's id as `cenc` has it: the 16 bytes of the UUID. */
const kidOf = (keyId: string): string => Buffer.from(keyId.replaceAll('-', ''), 'hex').toString('base64url');

const clearKeyAnswer = (
  license: Either<Problem, License>,
  { kids }: Pick<t.TypeOf<typeof LicenseBody>, 'kids'>,
): Answer => {
  if (isLeft(license)) return license.left;
  const { key, expiresAt } = license.right;
  const kid = kidOf(key.keyId);
  const k = key.bytes.toString('base64url');
  key.bytes.fill(0);
  if (!kids.includes(kid)) return refusal('license-key-unknown', 'None of the keys is of this video.');
  const body: t.TypeOf<typeof ClearKeyLicense> = { keys: [{ kty: 'oct', kid, k }], type: 'temporary' };
  return { status: 200, body, headers: { 'License-Expires': expiresAt } };
};

const refuseSystem = (system: t.TypeOf<typeof LicenseSystem> | undefined): Problem | undefined => {
  if (system === undefined || system === 'clearkey') return undefined;
  const detail = `This installation has no licence server of ${system}; it gives ClearKey licences and AES-128 keys.`;
  return refusal('license-system-unavailable', detail);
};

const clearKeyRoute = {
  method: 'post' as const,
  summary: 'Get the ClearKey licence of a protected video',
  description: `As a player sends it for Encrypted Media Extensions, for the proof of a playback. Other systems than ClearKey are refused with 501. ${describeExpiry}`,
  sensitive: false,
  query: ProofQuery,
  body: LicenseBody,
  unknownFields: 'ignored' as const,
  answers: { 200: { description: 'The licence.', body: ClearKeyLicense, headers: ['License-Expires'] } },
  problems: licenseProblems,
};

export const requestVideoLicense = route<LicenseDeps>()({
  ...clearKeyRoute,
  path: '/api/videos/:videoId/license',
  operation: 'requestVideoLicense',
  access: { scopes: ['videos:read'] },
  params: OneVideoPath,
  handle: async (deps, { params: { videoId }, query: { playback }, body, identity }) => {
    const { tenantId: tenant } = identity;
    if (!TenantId.is(tenant)) return problem('forbidden', 'The tenant of the token is unknown.');
    return (
      refuseSystem(body.system) ??
      clearKeyAnswer(await licenseFor(deps, { named: { tenant, videoId }, identity }, playback), body)
    );
  },
});

export const requestSharedVideoLicense = route<LicenseDeps>()({
  ...clearKeyRoute,
  path: '/api/shared-videos/:tenantId/:videoId/license',
  operation: 'requestSharedVideoLicense',
  access: 'public',
  params: SharedVideoPath,
  handle: async (deps, { params: { tenantId: tenant, videoId }, query: { playback }, body }) =>
    refuseSystem(body.system) ??
    clearKeyAnswer(await licenseFor(deps, { named: { tenant, videoId }, identity: undefined }, playback), body),
});

/** Pages of people who watch videos of the first admin. These are without media: an upload is begun by its route, the rest is recorded. */
import { createHash } from 'node:crypto';
import { videoUploads } from '../../../domain/video/upload/events';
import { type VideoEvent, videos } from '../../../domain/video/video/events';
import type { Look } from '../../support/browser/browser-page';
import { contentOf } from '../../support/identity/tenant';
import { setPassword, usePersonPages } from './person-pages';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

interface NewVideo {
  readonly title: string;
  readonly visibility?: 'private' | 'tenant' | 'link' | 'public';
  /** Left out, it is ready. */
  readonly failure?: { readonly stage: 'transcode' | 'fingerprint'; readonly code: string; readonly detail: string };
}

const smallest = { resolution: '360p', codec: 'h264' } as const;

interface BegunUpload {
  readonly videoId: string;
  readonly uploadId: string;
  readonly ownerId: string;
}

const source = { fileSize: 12_000_000, contentType: 'video/mp4' as const };

const storedSource = (videoId: string) => ({ rawObjectKey: `videos/main/${videoId}/raw`, etag: '"1"', ...source });

const completed = ({ videoId, uploadId, ownerId }: BegunUpload) =>
  videoUploads.encode({
    type: 'VideoUploadCompleted',
    data: {
      ...{ videoId: videoId as never, uploadId: uploadId as never, ownerId: ownerId as never },
      ...storedSource(videoId),
    },
  });

/** One append, so that no worker looks for the source in between. */
const eventsOf = ({ videoId, uploadId, ownerId }: BegunUpload, failure: NewVideo['failure']): readonly VideoEvent[] => {
  const fact = { videoId: videoId as never, generation: 1 };
  const now = new Date().toISOString() as never;
  const fingerprintSha256 = digest(`${videoId} sound`);
  return [
    {
      type: 'VideoUploaded',
      data: {
        ...{ ...fact, ownerId: ownerId as never, uploadId: uploadId as never },
        ...storedSource(videoId),
      },
    },
    {
      type: 'VideoProbed',
      data: { ...fact, durationMilliseconds: 95_000, width: 1_280, height: 720, descriptionSha256: digest(videoId) },
    },
    {
      type: 'LadderPlanned',
      data: {
        ...fact,
        ...{ renditions: [smallest], copied: null, hasAudio: true, isAudioCopied: false, hasCaptions: false },
      },
    },
    {
      type: 'RenditionPackaged',
      data: { ...fact, rendition: smallest, bitrateKbps: 700, sizeBytes: 9_000_000, trackSha256: digest('track') },
    },
    // Pictures are left out: lists would request what is not stored.
    { type: 'VideoAudioReady', data: { ...fact, sizeBytes: 900_000, trackSha256: digest('audio') } },
    {
      type: 'ManifestPublished',
      data: {
        ...fact,
        ...{ manifestSha256: digest('manifest'), renditions: [smallest], publishedAt: now, playableAt: now },
      },
    },
    ...(failure?.stage === 'fingerprint'
      ? [{ type: 'FingerprintMatched' as const, data: { ...fact, fingerprintSha256, reference: 'harvest-song' } }]
      : [{ type: 'FingerprintCleared' as const, data: { ...fact, fingerprintSha256 } }]),
    failure === undefined
      ? { type: 'VideoReady', data: { ...fact, manifestSha256: digest('manifest') } }
      : { type: 'VideoFailed', data: { ...fact, ...failure } },
  ];
};

const ownerId = 'admin';

export const useVideoPages = () => {
  const pages = usePersonPages();
  const { stage, open, enrolled } = pages;
  const send = async (method: string, path: string, body?: object): Promise<Response> =>
    fetch(`${stage.system.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${await stage.token()}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  /** Answers the video's id. */
  const recordVideo = async ({ title, visibility = 'private', failure }: NewVideo): Promise<string> => {
    const begun = send('POST', '/api/videos/upload/init', { title, ...source, idempotencyKey: title });
    const { videoId, uploadId } = await contentOf<Omit<BegunUpload, 'ownerId'>>(begun);
    const upload = { videoId, uploadId, ownerId };
    const { type, data } = completed(upload);
    await stage.system.record(videoUploads.stream('main' as never, videoId as never), type, data);
    const events = eventsOf(upload, failure);
    await stage.system.recordAll(videos.stream('main' as never, videoId as never), events.map(videos.encode));
    if (visibility !== 'private') await contentOf(send('PUT', `/api/videos/${videoId}/visibility`, { visibility }));
    return videoId;
  };
  /** A page of a person with these scopes, on the first page of the console that they may read. */
  const person = async (
    login: string,
    displayName: string,
    look: Look = {},
    scopes = ['videos:read', 'videos:write'],
  ) => {
    const { principalId = '', path } = await enrolled(login, { displayName });
    await contentOf(send('POST', `/v1/principals/${principalId}/scopes/grant`, { scopes }));
    const page = await open(path, look, stage.system.url);
    await setPassword(page);
    await page.getByRole('heading', { level: 1, name: 'Videos' }).waitFor();
    return { page, principalId };
  };
  return { ...pages, send, recordVideo, person };
};

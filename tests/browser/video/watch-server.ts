/** The console as the gateway serves it, with answers of a test for one video, whose film is read from a directory at signed-like addresses. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { bundleConsole, consoleSourcesIn } from '../../../infra/gateway/console-assets/bundle';
import { createConsoleAssets } from '../../../infra/gateway/console-assets/static-server';
import { applySecurityHeaders } from '../../../infra/gateway/security-headers';
import { contentKey, filmSeconds, type PackagedFilm, readDelivered } from './packaged-film';
import { createUploadAnswers } from './upload-answers';

export const videoId = '0198c1f2-6a3e-7c51-9b1d-2f4e5a6b7c8d';

const session = {
  tenantId: 'acme',
  principalId: '0198c1f2-0000-7000-8000-000000000001',
  principalType: 'HUMAN',
  scopes: ['videos:read', 'videos:write'],
  clientId: 'acme~console',
  endsAt: '2099-01-01T00:00:00.000Z',
};

const video = {
  ...{
    videoId,
    ownerId: session.principalId,
    title: 'A day at sea',
    description: null,
    status: 'ready',
    uploadId: `${videoId}-1`,
  },
  ...{ fileSize: 12_000_000, contentType: 'video/mp4', uploadExpiresAt: '2026-12-07T08:00:00.000Z' },
  ...{
    uploadedAt: '2026-11-30T08:01:00.000Z',
    replacedAt: null,
    generation: 1,
    playedGeneration: 1,
    durationMilliseconds: filmSeconds * 1_000,
  },
  ...{ width: 640, height: 360, playableAt: '2026-11-30T08:02:00.000Z', failedStage: null, failureCode: null },
  ...{
    failureDetail: null,
    createdAt: '2026-11-30T08:00:00.000Z',
    updatedAt: '2026-11-30T08:02:00.000Z',
    thumbnailUrl: null,
    views: 1_234,
    plays: 2_000,
  },
};

export interface Heartbeat {
  readonly watchedSeconds: number;
  readonly quality: string;
  readonly bufferingEvents: number;
  readonly seekCount: number;
  readonly playbackProof: string;
  readonly sequence: number;
  readonly positionSeconds: number;
}

const processing = {
  ...{ generation: 1, codec: 'h264', generationStatus: 'failed', playedGeneration: 1 },
  ...{ videoId, status: 'failed', playableAt: '2026-11-30T08:02:00.000Z', isRetriable: true },
  failure: { stage: 'transcode', code: 'ENCODER_FAILED', detail: 'The encoder ended early, four times.' },
  codecs: ['h264', 'h265', 'av1'],
  steps: [
    { stage: 'probe', renditions: [], state: 'done', reason: null },
    { stage: 'transcode', renditions: [{ resolution: '360p', codec: 'h264' }], state: 'done', reason: null },
    {
      ...{ stage: 'transcode', renditions: [{ resolution: '720p', codec: 'h264' }], state: 'failed' },
      ...{ reason: 'The encoder ended early, four times.', progressPercent: 40 },
    },
    { stage: 'audio', renditions: [], state: 'waiting', reason: 'The video has failed.' },
  ],
};

const access = {
  ...{ videoId, ownerId: session.principalId, visibility: 'link', link: 'l1.secret', people: [], requires: [] },
  ...{ protection: 'none', generations: [], entitlements: [], isComplete: true },
};

const sums = { plays: 40, viewers: 31, playbacks: 52, watchedSeconds: 7_260, bufferingEvents: 3, seeks: 20 };
const statistics = {
  ...{ from: '2026-11-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z', by: 'day', periods: [], sums },
  ...{ bufferingEventsPerHour: 1.49, retention: [1, 0.9, 0.85, 0.8, 0.7, 0.6, 0.55, 0.5, 0.45, 0.4] },
  suspicious: { plays: 2, watchedSeconds: 600, heartbeats: 4 },
};

const source = {
  videoId,
  uploadId: `${videoId}-1`,
  isStored: true,
  isRetained: false,
  expiresAt: '2026-12-30T08:02:00.000Z',
};

const facts: Readonly<Record<string, object>> = { processing, access, statistics, source };

/** What a test sets and looks at. */
export interface WatchStage {
  positionSeconds: number;
  hasCaptions: boolean;
  nextEpisodeId: string | null;
  /** Fields of the video that differ. */
  video: object;
  /** Addresses with another token are refused. */
  token: string;
  /** Instead of the answer of the playback route. */
  refusal: { readonly status: number; readonly body: object } | undefined;
  /** The link that opens the video; null: it is public. */
  link: string | null;
  /** Titles and descriptions for people who are not signed in. */
  shared: object;
  /** Proofs that players without sign-in brought of before. */
  readonly earlierProofs: (string | null)[];
  /** Licences are answered, by the method of each: `GET` for HLS, `POST` for DASH. */
  licences: readonly string[];
  /** Of deliveries; undefined: as fast as it goes. */
  bytesPerSecond: number | undefined;
  /** Deliveries are broken off. */
  isAway: boolean;
  retries: number;
  /** What the page has sent of captions and posters. */
  readonly sidecars: { readonly method: string; readonly path: string; readonly body: unknown }[];
  /** Instead of the answer to captions that are added. */
  captionsRefusal: object | undefined;
  recognition: { readonly state: string; readonly reason: string | null };
  hasSound: boolean;
  poster: object;
  /** The object store answers after it. */
  storing: Promise<unknown>;
  readonly heartbeats: Heartbeat[];
  /** Names of what was delivered. */
  readonly delivered: string[];
}

const contentTypes: Readonly<Record<string, string>> = {
  m3u8: 'application/vnd.apple.mpegurl',
  mpd: 'application/dash+xml',
  m4s: 'video/iso.segment',
  mp4: 'video/mp4',
  vtt: 'text/vtt',
  jpg: 'image/jpeg',
};

const bytesOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

/** What the page sends is trusted to be of the form that the answer takes. */
const bodyOf = async <Body>(request: IncomingMessage): Promise<Body> =>
  JSON.parse((await bytesOf(request)).toString('utf8')) as Body;

const answerJson = (response: ServerResponse, status: number, body: object): void => {
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(JSON.stringify(body));
};

const sendSlowly = async (response: ServerResponse, content: Buffer, bytesPerSecond: number): Promise<void> => {
  const piece = Math.max(1, Math.round(bytesPerSecond / 20));
  for (let at = 0; at < content.length && !response.destroyed; at += piece) {
    response.write(content.subarray(at, at + piece));
    await wait(50);
  }
  response.end();
};

const licensePath = `/api/videos/${videoId}/license`;
/** The same without sign-in. */
const sharedPath = `/api/shared-videos/acme/${videoId}`;
const sharedLicensePath = `${sharedPath}/license`;

/** What names the video for people who are not signed in; they send no cookies. */
export const sharedWatch = `/watch/acme/${videoId}`;

/** Of ClearKey (Encrypted Media Extensions, 9.1). */
const clearKeyLicence = {
  keys: [{ kty: 'oct', kid: contentKey.keyId.toString('base64url'), k: contentKey.key.toString('base64url') }],
  type: 'temporary',
} as const;

export const serveWatching = async (directory: string, film: PackagedFilm, { isProtected = false } = {}) => {
  const assets = createConsoleAssets(bundleConsole(consoleSourcesIn(join(__dirname, '..', '..', '..'))));
  const initial = (): WatchStage => ({
    ...{
      positionSeconds: 0,
      hasCaptions: true,
      nextEpisodeId: null,
      video: {},
      token: 't1',
      refusal: undefined,
      bytesPerSecond: undefined,
    },
    ...{ link: null, shared: { title: 'A day at sea', description: 'Waves.\nAnd gulls.' }, earlierProofs: [] },
    ...{
      sidecars: [],
      captionsRefusal: undefined,
      recognition: { state: 'none', reason: null },
      hasSound: true,
      poster: {},
    },
    ...{
      licences: ['GET', 'POST'],
      retries: 0,
      storing: Promise.resolve(),
      isAway: false,
      heartbeats: [],
      delivered: [],
    },
  });
  const stage = initial();
  const addressOf = (name: string): string => `/delivery/${stage.token}/acme/${videoId}/g1/${name}`;
  const playback = (license = licensePath) => ({
    manifestUrl: addressOf(`${film.manifests}/master.m3u8`),
    dashUrl: addressOf(`${film.manifests}/manifest.mpd`),
    licenseUrl: isProtected ? `${license}?proof=proof-${stage.token}` : null,
    subtitleTracks: stage.hasCaptions
      ? [
          { language: 'en', label: 'English', url: addressOf(film.captions), isRecognized: false },
          { language: 'de', label: 'Deutsch', url: `${addressOf(film.captions)}?de`, isRecognized: true },
        ]
      : [],
    nextEpisodeId: stage.nextEpisodeId,
    variants: [],
    ...{ thumbnailsUrl: addressOf(film.thumbnails), posterUrl: addressOf(film.poster) },
    ...{ playbackProof: `proof-${stage.token}`, positionSeconds: stage.positionSeconds },
    ...{ durationSeconds: filmSeconds, generation: 1 },
  });

  const deliver = async (response: ServerResponse, path: string): Promise<void> => {
    const [, , token = '', , , , ...rest] = path.split('/');
    const name = rest.join('/');
    if (stage.isAway) return void response.destroy();
    if (token !== stage.token) return void response.writeHead(403).end();
    const content = readDelivered(directory, name);
    stage.delivered.push(name);
    response.writeHead(200, {
      'Content-Type': contentTypes[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      'Content-Length': content.length,
      'Cache-Control': 'no-store',
    });
    if (stage.bytesPerSecond === undefined) response.end(content);
    else await sendSlowly(response, content, stage.bytesPerSecond);
  };

  const captions = () => ({
    ...{ videoId, hasSound: stage.hasSound, recognition: stage.recognition },
    items: [
      { language: 'de', label: 'Deutsch', origin: 'source', url: addressOf(film.captions) },
      ...(stage.recognition.state === 'done'
        ? [{ language: 'en', label: 'English', origin: 'recognized', url: addressOf(film.captions) }]
        : []),
    ],
  });
  const poster = () => ({
    ...{ videoId, url: addressOf(film.poster), origin: 'film', positionSeconds: null, request: 'none', reason: null },
    ...stage.poster,
  });
  /** Undefined: it is another's. */
  const answerSidecar = async (request: IncomingMessage, path: string) => {
    const name = path.slice(`/api/videos/${videoId}/`.length);
    if (!/^(?:captions|poster)(?:\/|$)/.test(name)) return undefined;
    if (request.method === 'GET') return { status: 200, body: name === 'poster' ? poster() : captions() };
    const text = (await bytesOf(request)).toString('utf8');
    stage.sidecars.push({ method: request.method ?? '', path: name, body: text === '' ? null : JSON.parse(text) });
    if (name.startsWith('captions/') && request.method === 'PUT' && stage.captionsRefusal !== undefined)
      return { status: 400, body: stage.captionsRefusal };
    const language = name.slice('captions/'.length);
    if (language === 'recognition') stage.recognition = { state: 'pending', reason: null };
    if (name === 'poster' && request.method === 'PUT') stage.poster = { request: 'pending' };
    return { status: 200, body: name === 'poster' ? { videoId, posterId: 'p-1' } : { videoId, language } };
  };

  const uploading = createUploadAnswers();
  const answerUpload = async (request: IncomingMessage, { pathname, searchParams }: URL) => {
    const [, folder, uploadId = '', part] = pathname.split('/');
    if (folder === 'store') {
      await stage.storing;
      return uploading.put(uploadId, Number(part), (await bytesOf(request)).length);
    }
    switch (pathname) {
      case '/api/videos/upload/init':
        return uploading.init(await bodyOf(request));
      case '/api/videos/upload/status':
        return uploading.status(searchParams.get('uploadId') ?? '');
      case '/api/videos/upload/presign':
        return uploading.presign(await bodyOf(request));
      case '/api/videos/upload/complete':
        return uploading.complete(await bodyOf(request));
      default:
        return undefined;
    }
  };

  const unknown = { ...{ type: 'about:blank', title: 'Not found', status: 404 }, code: 'video-unknown', detail: '' };
  /** Undefined: it is of a session. */
  const answerShared = async (request: IncomingMessage, { pathname, searchParams }: URL) => {
    if (!pathname.startsWith('/api/shared-videos/')) return undefined;
    const isKnown = pathname.startsWith(`${sharedPath}/`) && request.headers.cookie === undefined;
    if (!isKnown) return { status: 404, body: unknown };
    if (pathname === `${sharedPath}/heartbeat`) {
      const heartbeat = await bodyOf<Heartbeat>(request);
      stage.heartbeats.push(heartbeat);
      return stage.refusal ?? { status: 202, body: { nextHeartbeatInSecs: 30 } };
    }
    stage.earlierProofs.push(searchParams.get('earlierProof'));
    if (stage.refusal !== undefined) return stage.refusal;
    if (searchParams.get('link') !== stage.link) return { status: 404, body: unknown };
    return { status: 200, body: { ...playback(sharedLicensePath), ...stage.shared } };
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', 'http://console');
    const { pathname: path } = url;
    const ofUpload = await answerUpload(request, url);
    if (ofUpload !== undefined) {
      for (const [name, value] of Object.entries(ofUpload.headers ?? {})) response.setHeader(name, value);
      return answerJson(response, ofUpload.status, ofUpload.body);
    }
    const ofShared = path === sharedLicensePath ? undefined : await answerShared(request, url);
    if (ofShared !== undefined) return answerJson(response, ofShared.status, ofShared.body);
    if (path === '/api/videos/people') return answerJson(response, 200, { items: [], isCut: false });
    if (path === '/api/videos')
      return answerJson(response, 200, { items: [{ ...video, ...stage.video }], next_cursor: null });
    if (path.startsWith('/delivery/')) return deliver(response, path);
    if (path === '/console/session') return answerJson(response, 200, session);
    if (path === `/api/videos/${videoId}`) return answerJson(response, 200, { ...video, ...stage.video });
    const ofSidecar = path.startsWith(`/api/videos/${videoId}/`) ? await answerSidecar(request, path) : undefined;
    if (ofSidecar !== undefined) return answerJson(response, ofSidecar.status, ofSidecar.body);
    const fact = facts[path.slice(`/api/videos/${videoId}/`.length)];
    if (path.startsWith(`/api/videos/${videoId}/`) && fact !== undefined) return answerJson(response, 200, fact);
    if (path === `/api/videos/${videoId}/retry`) {
      stage.retries += 1;
      return answerJson(response, 200, { videoId });
    }
    if (path === licensePath || path === sharedLicensePath) {
      const { method = '' } = request;
      if (!stage.licences.includes(method)) return void response.writeHead(403).end();
      if (method === 'GET') return void response.writeHead(200).end(contentKey.key);
      const { kids } = await bodyOf<{ readonly kids: readonly string[] }>(request);
      const isItsKey = kids.includes(clearKeyLicence.keys[0].kid);
      const isJson = request.headers['content-type'] === 'application/json';
      if (request.headers['septet-console'] !== '1') return void response.writeHead(403).end();
      return isItsKey && isJson ? answerJson(response, 200, clearKeyLicence) : void response.writeHead(400).end();
    }
    if (path === `/api/videos/${videoId}/playback`) {
      const { refusal } = stage;
      return answerJson(response, refusal?.status ?? 200, refusal?.body ?? playback());
    }
    if (path === `/api/videos/${videoId}/heartbeat`) {
      stage.heartbeats.push(await bodyOf<Heartbeat>(request));
      return answerJson(response, 202, { nextHeartbeatInSecs: 30 });
    }
    const found = await assets({ path, accepts: '', ifNoneMatch: undefined, hasSession: true });
    if (found !== undefined) return void response.writeHead(found.status, found.headers).end(found.content);
    return answerJson(response, 404, {
      type: 'about:blank',
      title: 'Not found',
      status: 404,
      code: 'not-found',
      detail: path,
    });
  };

  const server = createServer((request, response) => {
    applySecurityHeaders(request, response, { allowedOrigins: [], https: false });
    answer(request, response).catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    stage,
    uploads: uploading.uploads,
    reset: () => Object.assign(stage, initial()),
    origin: `http://127.0.0.1:${port}`,
    close: () => server.close().closeAllConnections(),
  };
};

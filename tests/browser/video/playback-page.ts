/** A page with a player, served with the files of one packaged film. */
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';

const scripts = {
  hls: require.resolve('hls.js'),
  dash: require.resolve('dashjs'),
  shaka: require.resolve('shaka-player'),
} as const;

export type Player = keyof typeof scripts;

/** Of DASH: ClearKey's, in base64url. For HLS the film's directory holds it. */
export interface PageKey {
  readonly keyId: string;
  readonly key: string;
}

const start = (key: PageKey | undefined): Readonly<Record<Player, string>> => ({
  hls: `const hls = new Hls(); hls.on('hlsError', (_, { fatal, details }) => fatal && errors.push(details));
    hls.loadSource('/film/master.m3u8'); hls.attachMedia(video);`,
  dash: `const player = dashjs.MediaPlayer().create(); player.on('error', ({ error }) => errors.push(error.message));
    ${key === undefined ? '' : `player.setProtectionData({ 'org.w3.clearkey': { clearkeys: { '${key.keyId}': '${key.key}' } } });`}
    player.initialize(video, '/film/manifest.mpd', false);`,
  shaka: `shaka.polyfill.installAll(); const player = new shaka.Player(); const fail = ({ code }) => errors.push(String(code));
    player.addEventListener('error', ({ detail }) => fail(detail));
    ${key === undefined ? '' : `player.configure({ drm: { clearKeys: { '${hexadecimal(key.keyId)}': '${hexadecimal(key.key)}' } } });`}
    player.attach(video).then(() => player.load('/film/manifest.mpd')).catch(fail);`,
});

const hexadecimal = (base64url: string): string => Buffer.from(base64url, 'base64url').toString('hex');

const html = (
  player: Player,
  key: PageKey | undefined,
): string => `<!doctype html><html lang="en"><head><title>Film</title></head><body>
<video muted></video><script src="/script/${player}"></script><script>
const errors = []; const video = document.querySelector('video');
video.addEventListener('error', () => errors.push(video.error.message));
${start(key)[player]}
</script></body></html>`;

export const servePlayback = async (
  directory: string,
  key?: PageKey,
): Promise<{ readonly origin: string; readonly close: () => void }> => {
  const server = createServer(({ url = '/' }, response) => {
    const [, kind, name] = url.split('/');
    if (kind === 'play') return response.setHeader('Content-Type', 'text/html').end(html(name as Player, key));
    if (kind === 'script') return response.end(readFileSync(scripts[name as Player]));
    const path = join(directory, basename(url));
    if (!existsSync(path)) return response.writeHead(404).end();
    return createReadStream(path).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close().closeAllConnections() };
};

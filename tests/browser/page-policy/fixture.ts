/** Serves a console of test pages as the gateway serves the real one, beside an object store of another origin. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { bundleConsole, consoleDirectory } from '../../../infra/gateway/console-assets/bundle';
import { createConsoleAssets } from '../../../infra/gateway/console-assets/static-server';
import { applySecurityHeaders } from '../../../infra/gateway/security-headers';

const listenOn = async (listener: RequestListener) => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close().closeAllConnections() };
};

export const servePolicyPages = async () => {
  const store = await listenOn((_request, response) =>
    response.setHeader('Access-Control-Allow-Origin', '*').end('stored'),
  );
  const bundle = bundleConsole({
    directory: consoleDirectory(join(__dirname, '..', '..', '..')),
    entry: join(__dirname, 'main.page.tsx'),
    watch: join(__dirname, 'main.page.tsx'),
    sections: join(__dirname, 'sections.page.tsx'),
    workers: [join(__dirname, 'add.worker.ts')],
    constants: { STORE_URL: store.origin },
  });
  const assets = createConsoleAssets(bundle, store.origin);
  const { origin, close } = await listenOn((request, response) => {
    applySecurityHeaders(request, response, { allowedOrigins: [], https: false });
    void assets({ path: request.url ?? '', accepts: '', ifNoneMatch: request.headers['if-none-match'] }).then(
      (answer) => response.writeHead(answer?.status ?? 404, answer?.headers).end(answer?.content),
    );
  });
  const closeAll = (): void => {
    close();
    store.close();
  };
  return { origin, close: closeAll };
};

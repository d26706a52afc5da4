/** Repositories of another server: Git's own HTTP backend behind https, for everybody. */
import 'reflect-metadata';
import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { BasicConstraintsExtension, SubjectAlternativeNameExtension } from '@peculiar/x509';
import { requirePrerequisites } from '../runner/prerequisites';
import { selfSigned } from '../servers/self-signed';
import { gitWorks } from './git-client';

const hour = 3_600_000;

export interface RemoteGitServer {
  /** Of a repository by name. `moved.git` leads to an address of the host's own network. */
  readonly urlOf: (name: string) => string;
  /** A working copy whose `.git` is served under its name. */
  readonly make: (name: string) => Promise<string>;
  /** Path of the certificate. */
  readonly authorities: string;
  /** Paths of requests, the oldest first. */
  readonly requests: readonly string[];
  readonly close: () => Promise<void>;
}

export const startRemoteGitServer = async (directory: string): Promise<RemoteGitServer> => {
  await requirePrerequisites('git');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const certificate = await selfSigned({
    privateKey,
    subject: [['CN', 'localhost']],
    from: new Date(Date.now() - hour),
    until: new Date(Date.now() + hour),
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new SubjectAlternativeNameExtension([{ type: 'dns', value: 'localhost' }]),
    ],
  });
  const cert = certificate.toString('pem');
  const authorities = join(directory, 'authorities.pem');
  writeFileSync(authorities, cert);
  const requests: string[] = [];
  const server = createServer(
    { cert, key: privateKey.export({ format: 'pem', type: 'pkcs8' }) },
    (request, response) => {
      const { pathname, search } = new URL(request.url ?? '', 'https://localhost');
      requests.push(pathname);
      if (pathname.startsWith('/moved.git'))
        return void response
          .writeHead(302, { Location: `/site.git${pathname.slice('/moved.git'.length)}${search}` })
          .end();
      const [, name = '', rest = ''] = /^\/([\w-]+)\.git(\/.*)$/.exec(pathname) ?? [];
      const backend = spawn('git', ['http-backend'], {
        env: {
          PATH: process.env.PATH,
          GIT_PROJECT_ROOT: directory,
          GIT_HTTP_EXPORT_ALL: '1',
          GIT_CONFIG_COUNT: '2',
          GIT_CONFIG_KEY_0: 'safe.directory',
          GIT_CONFIG_VALUE_0: '*',
          GIT_CONFIG_KEY_1: 'uploadpack.allowAnySHA1InWant',
          GIT_CONFIG_VALUE_1: 'true',
          PATH_INFO: `/${name}/.git${rest}`,
          QUERY_STRING: search.slice(1),
          REQUEST_METHOD: request.method,
          CONTENT_TYPE: request.headers['content-type'],
          HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
          GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        },
      });
      request.pipe(backend.stdin);
      backend.stdin.on('error', () => undefined);
      void buffer(backend.stdout).then((bytes) => {
        const end = bytes.indexOf('\r\n\r\n');
        const lines = bytes.subarray(0, end).toString('latin1').split('\r\n');
        const headers = lines.map((line) => line.split(': ') as [string, string]);
        const status = Number(headers.find(([key]) => key === 'Status')?.[1].slice(0, 3) ?? 200);
        response.writeHead(status, Object.fromEntries(headers)).end(bytes.subarray(end + 4));
      });
    },
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    authorities,
    requests,
    urlOf: (name) => `https://localhost:${port}/${name}.git`,
    make: async (name) => {
      const path = join(directory, name);
      await gitWorks(directory, 'init', '--quiet', '--initial-branch=main', path);
      return path;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

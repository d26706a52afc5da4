/** A repository behind Git's own HTTP backend, for who knows the password. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

export interface GitServer {
  readonly url: string;
  /** The oldest first. */
  readonly commits: readonly string[];
  readonly close: () => Promise<void>;
}

const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', ...args], {
    cwd,
    encoding: 'utf8',
  }).trim();

/** Two commits on `main`. */
const makeRepository = (directory: string): readonly string[] => {
  mkdirSync(directory);
  git(directory, 'init', '--quiet', '-b', 'main');
  return ['first', 'second'].map((content) => {
    writeFileSync(join(directory, 'file.txt'), `${content}\n`);
    git(directory, 'add', '.');
    git(directory, 'commit', '--quiet', '-m', content);
    return git(directory, 'rev-parse', 'HEAD');
  });
};

export const openGitServer = async (directory: string, password: string): Promise<GitServer> => {
  const commits = makeRepository(join(directory, 'site'));
  const expected = `Basic ${Buffer.from(`x-access-token:${password}`).toString('base64')}`;
  const server = createServer((request, response) => {
    if (request.headers.authorization !== expected) {
      response.writeHead(401, { 'WWW-Authenticate': 'Basic' }).end();
      return;
    }
    const { pathname, search } = new URL(request.url ?? '', 'http://localhost');
    const child = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env.PATH,
        GIT_PROJECT_ROOT: directory,
        GIT_HTTP_EXPORT_ALL: '1',
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'safe.directory',
        GIT_CONFIG_VALUE_0: '*',
        PATH_INFO: pathname,
        QUERY_STRING: search.slice(1),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'],
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      },
    });
    request.pipe(child.stdin);
    void buffer(child.stdout).then((bytes) => {
      const end = bytes.indexOf('\r\n\r\n');
      const lines = bytes.subarray(0, end).toString('latin1').split('\r\n');
      const headers = lines.map((line) => line.split(': ') as [string, string]);
      const status = Number(headers.find(([name]) => name === 'Status')?.[1].slice(0, 3) ?? 200);
      response.writeHead(status, Object.fromEntries(headers)).end(bytes.subarray(end + 4));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/site/.git`,
    commits,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

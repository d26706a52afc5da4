/** nginx with a cache of its own before an origin; undefined where it is not installed (Debian: `nginx-light`). */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../../support/waiting/eventually';

const program = ['/usr/sbin/nginx', '/usr/bin/nginx'].find((path) => existsSync(path));

/** One worker, as the edge is one process. */
const configuration = (directory: string, port: number, origin: string): string => `
${process.getuid?.() === 0 ? 'user root; ' : ''}daemon off; worker_processes 1; pid ${directory}/nginx.pid; error_log ${directory}/error.log;
events { worker_connections 1024; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000; open_file_cache max=10000;
  client_body_temp_path ${directory}/body; proxy_temp_path ${directory}/proxy; fastcgi_temp_path ${directory}/fastcgi;
  uwsgi_temp_path ${directory}/uwsgi; scgi_temp_path ${directory}/scgi;
  proxy_cache_path ${directory}/cache levels=1:2 keys_zone=segments:10m max_size=10g inactive=1d use_temp_path=off;
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass ${origin}; proxy_cache segments; proxy_cache_valid 200 1d; proxy_cache_lock on; }
  }
}
`;

export const startNginx = async (
  directory: string,
  port: number,
  origin: string,
): Promise<{ readonly url: string; readonly version: string; readonly stop: () => Promise<void> } | undefined> => {
  if (program === undefined) return undefined;
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'nginx.conf');
  writeFileSync(file, configuration(directory, port, origin));
  const version = execFileSync(program, ['-v'], { stdio: ['ignore', 'pipe', 'pipe'] }).toString();
  const child = spawn(program, ['-p', directory, '-c', file], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  await eventually(() => fetch(url));
  return {
    url,
    version,
    stop: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
};

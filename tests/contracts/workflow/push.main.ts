/** Takes one push and prints a line in the middle of its announcement, which never ends: the test kills this process there. */
import { createReadStream } from 'node:fs';
import { isLeft } from 'fp-ts/Either';
import { openGit } from '../../../infra/adapters/git/open-git';
import type { GitExchange, GitLocation } from '../../../infra/ports/workflow/git-repositories';
import { capturedLog } from '../../support/http/http-service';

const [directory = '', location = '', body = ''] = process.argv.slice(2);

const run = async (): Promise<void> => {
  const opened = await openGit({ directory, log: capturedLog(), files: { maxFiles: 1, maxBytes: 1 } });
  if (isLeft(opened)) throw new Error(opened.left);
  const request = {
    service: 'git-receive-pack',
    advertise: false,
    input: createReadStream(body),
    protocol: undefined,
    signal: new AbortController().signal,
    actorId: 'person-1',
    announce: ({ pushId }: { readonly pushId: string }) => {
      process.send?.(pushId);
      return new Promise<boolean>(() => undefined);
    },
  } as unknown as GitExchange;
  const output = await opened.right.exchange(JSON.parse(location) as GitLocation, request);
  if (isLeft(output)) throw new Error(output.left.detail);
  output.right.resume();
};

void run();

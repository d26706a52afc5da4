/** One exchange of the smart protocol: what git-http-backend does, with a bounded body and the announcement of pushes. */
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Log } from '../../ports/runtime/log';
import type {
  AnnouncePush,
  GitExchange,
  GitFault,
  GitLocation,
  GitRejection,
  Push,
} from '../../ports/workflow/git-repositories';
import { directoryOf, gitFailed, temporaryIn } from './bare-directory';
import { type GitProcess, startGit } from './git-process';
import {
  claimPending,
  keepPending,
  type PendingPush,
  removePending,
  thisProcess,
  writePending,
} from './pending-pushes';
import { compareRefs, readRefs } from './read-repository';
import type { RepositoryLocks } from './repository-locks';

export interface ExchangeContext {
  readonly root: string;
  readonly log: Log;
  readonly locks: RepositoryLocks;
  /** Of one exchange, from Git's start to its end. */
  readonly milliseconds: number;
  /** Of a push, objects unpacked by Git included. */
  readonly maxPushBytes: number;
  /** Work that goes on after the answer; closing waits for it. */
  readonly inBackground: (work: Promise<void>) => void;
}

type Answer = Promise<Either<GitFault | GitRejection, Readable>>;

const packet = (text: string): string => `${(text.length + 4).toString(16).padStart(4, '0')}${text}`;
const flush = '0000';
const protocolShape = /^[a-z0-9=:.-]{1,100}$/;

/** Pushes know no second version, so theirs is always announced in the old way. */
const protocolOf = ({ service, protocol }: GitExchange): string | undefined =>
  service === 'git-upload-pack' && protocol !== undefined && protocolShape.test(protocol) ? protocol : undefined;

const startService = (
  { root, milliseconds, maxPushBytes }: ExchangeContext,
  location: GitLocation,
  request: GitExchange,
): GitProcess => {
  const { service, advertise, signal } = request;
  const directory = directoryOf(root, location);
  const name = service.slice('git-'.length);
  return startGit({
    directory: undefined,
    args: [name, '--stateless-rpc', ...(advertise ? ['--advertise-refs'] : []), directory],
    config: { 'receive.maxInputSize': String(maxPushBytes) },
    protocol: protocolOf(request),
    milliseconds,
    // A push that has all its input goes on without its client.
    signal: service === 'git-upload-pack' ? signal : undefined,
  });
};

/** The exit code, once all output was read too: a process may end before what it wrote is read. */
const finished = async ({ child, ended }: GitProcess): Promise<number | null> => {
  const written = new Promise<void>((resolve) => void child.stdout?.once('close', resolve));
  const [code] = await Promise.all([ended, written]);
  return code;
};

const advertise = (context: ExchangeContext, location: GitLocation, request: GitExchange): Readable => {
  const process = startService(context, location, request);
  const { child } = process;
  const output = new PassThrough();
  const isSecond = protocolOf(request)?.includes('version=2') === true;
  if (!isSecond) output.write(`${packet(`# service=${request.service}\n`)}${flush}`);
  child.stdin?.end();
  child.stdout?.pipe(output, { end: false });
  void finished(process).then((code) => (code === 0 ? output.end() : output.destroy(new Error('git ended early'))));
  output.once('close', () => child.stdout?.destroy());
  return output;
};

/** Ends the output once Git has written everything. `last` comes after it: no client waits for it. */
const outputOf = ({ log, inBackground }: ExchangeContext, process: GitProcess, last: () => Promise<void>): Readable => {
  const output = new PassThrough();
  process.child.stdout?.pipe(output, { end: false });
  output.once('error', () => undefined);
  // A client that left must not stop Git at a full pipe in the middle of a push.
  output.once('close', () => process.child.stdout?.resume());
  const answer = async (): Promise<void> => {
    const code = await finished(process);
    if (code === null) output.destroy(new Error('git was ended'));
    else output.end();
    await last();
  };
  inBackground(answer().catch((error: unknown) => log.error({ error }, 'what follows an exchange with git failed')));
  return output;
};

const fetchFrom = (context: ExchangeContext, location: GitLocation, request: GitExchange, body: string): Readable => {
  const process = startService(context, location, request);
  if (process.child.stdin !== null) createReadStream(body).pipe(process.child.stdin);
  const output = outputOf(context, process, () => rm(body, { force: true }));
  output.once('close', process.kill);
  return output;
};

/** True: announced, or there was nothing to announce. */
export const announceChanges = async (
  { root, log }: Pick<ExchangeContext, 'root' | 'log'>,
  location: GitLocation,
  { push, announce }: { readonly push: PendingPush; readonly announce: AnnouncePush },
): Promise<boolean> => {
  const refs = await readRefs(directoryOf(root, location));
  if (isLeft(refs)) return false;
  const { pushId, actorId, before } = push;
  const changed: Push = { location, pushId, actorId, updates: compareRefs(before, refs.right) };
  if (changed.updates.length > 0 && !(await announce(changed))) {
    log.warn({ ...location, pushId }, 'push could not be announced');
    return false;
  }
  await removePending(root, location);
  return true;
};

type ReceiveRequest = Extract<GitExchange, { service: 'git-receive-pack' }>;

const receiveInto = async (
  context: ExchangeContext,
  location: GitLocation,
  { request, body }: { readonly request: ReceiveRequest; readonly body: string },
): Answer => {
  const { root, locks } = context;
  const { announce, actorId } = request;
  const entered = await locks.enter(location, { announce, signal: request.signal });
  if (isLeft(entered)) return entered;
  const refs = await readRefs(directoryOf(root, location));
  if (isLeft(refs)) {
    entered.right();
    return refs;
  }
  const push = { pushId: randomUUID(), actorId, before: refs.right, owner: thisProcess };
  try {
    if (!(await claimPending(root, location, { ...push, git: null }))) {
      entered.right();
      return gitFailed('Another push to the repository began at the same time; try again.');
    }
    const process = startService(context, location, request);
    const stopKeeping = keepPending(root, location);
    // Git does nothing before its first input, so the file names the process before that can change refs.
    await writePending(root, location, { ...push, git: process.child.pid ?? null });
    if (process.child.stdin !== null) createReadStream(body).pipe(process.child.stdin);
    return right(
      outputOf(context, process, async () => {
        try {
          await announceChanges(context, location, { push: { ...push, git: null }, announce });
        } finally {
          stopKeeping();
          entered.right();
        }
        await rm(body, { force: true });
      }),
    );
  } catch (error) {
    entered.right();
    throw error;
  }
};

export const exchangeWith = async (context: ExchangeContext, location: GitLocation, request: GitExchange): Answer => {
  if (request.advertise) return right(advertise(context, location, request));
  const body = join(temporaryIn(context.root), `${randomUUID()}.body`);
  try {
    await pipeline(request.input, createWriteStream(body, { flags: 'wx' }), { signal: request.signal });
  } catch (error) {
    await rm(body, { force: true });
    throw error;
  }
  if (request.service === 'git-upload-pack') return right(fetchFrom(context, location, request, body));
  const received = await receiveInto(context, location, { request, body });
  if (isLeft(received)) await rm(body, { force: true });
  return received;
};

export const busy = (): Either<GitFault, never> => gitFailed('Too many clients use Git now; try again.');

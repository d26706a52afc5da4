/** Programs that keep no document open: they send batches by requests, whichever copy they come to, until each is answered. */
import assert from 'node:assert/strict';
import type { ClientId, NodeId, OperationId } from '../../../../domain/editor/ids';
import type { Operation } from '../../../../domain/editor/operation';
import type { Outcome } from '../../../../domain/editor/outcome';
import { iterateNodes } from '../../../../domain/editor/scene/scene';
import { note } from './acknowledgements';
import type { Program } from './api-program';
import type { Process } from './editor-process';
import { type Crowd, ledTo } from './participants';
import { place, type World } from './world';

interface Body {
  readonly committedVersion: number;
  readonly clientId: ClientId;
  readonly results: readonly Outcome[];
}

type Answered = { readonly status: number; readonly body: Body } | { readonly problem: Refused };
type Refused = { readonly status: number; readonly code: string; readonly expectedClientSeq?: number };

export interface ApiRequest {
  readonly userId: string;
  readonly operation: string;
  readonly body: unknown;
  readonly params?: { readonly [name: string]: string };
  readonly headers?: { readonly [name: string]: string };
}

/** `undefined`: the process ended before it answered. */
export const sendRequest = async (
  world: World,
  process: Process,
  request: ApiRequest,
): Promise<Answered | undefined> => {
  const { userId, operation, body, params = {}, headers = {} } = request;
  const route = process.requests.find((one) => one.operation === operation);
  assert.ok(route !== undefined);
  const scopes = ['documents:read', 'documents:write'];
  const identity = { tenantId: place.tenant, principalId: userId, principalType: 'user', scopes, tokenId: 't-1' };
  const gone = new AbortController();
  const dies = new Promise<undefined>((resolve) => gone.signal.addEventListener('abort', () => resolve(undefined)));
  const die = (): void => gone.abort();
  process.ends.add(die);
  const answer = route.handle({
    params: { documentId: place.documentId, ...params },
    query: {},
    body,
    headers,
    identity,
    requestId: 'r-1',
    signal: gone.signal,
  } as never);
  const answered = (await Promise.race([answer, dies])) as Answered | undefined;
  process.ends.delete(die);
  await world.wait(1 + world.below(40));
  return answered;
};

const done = (world: World, program: Program, { results, clientId, committedVersion }: Body): void => {
  const opIds = results.map(({ opId }) => opId);
  assert.deepEqual(
    opIds,
    program.batch.map(({ opId }) => opId),
  );
  assert.ok(committedVersion <= world.committed);
  program.clientId = clientId;
  note(world, { type: 'ack', clientSeq: 1, committedVersion, opIds, results: [...results] }, true);
  program.batch = [];
};

const receiveAnswer = (world: World, program: Program, answer: Answered): void => {
  if ('body' in answer) {
    done(world, program, answer.body);
    return;
  }
  const { code, status, expectedClientSeq } = answer.problem;
  const isPassing = status === 503 || code === 'role-too-low';
  assert.ok(isPassing || expectedClientSeq !== undefined, code);
  if (expectedClientSeq === undefined) return;
  // A new owner does not know of dropped operations: the batch is numbered again, and is the same by its ids.
  program.batch = program.batch.map((operation, index) => ({ ...operation, clientSeq: expectedClientSeq + index }));
  program.lastClientSeq = expectedClientSeq + program.batch.length - 1;
};

/** Until it is answered. */
const send = async (crowd: Crowd, program: Program): Promise<void> => {
  const { world } = crowd;
  program.isSending = true;
  while (program.batch.length > 0) {
    await world.wait(1 + world.below(60));
    const process = ledTo(crowd);
    const { userId, schemaVersion, batch: operations, omitsClientId, clientId } = program;
    const body = { operations, schemaVersion, ...(omitsClientId || clientId === undefined ? {} : { clientId }) };
    const answer =
      process === undefined
        ? undefined
        : await sendRequest(world, process, { userId, operation: 'commitOperations', body });
    const isLost = !world.isCalm && world.chance() < 0.15;
    if (answer !== undefined && !isLost) receiveAnswer(world, program, answer);
  }
  program.isSending = false;
};

type Draft = Pick<Operation, 'type' | 'targetIds' | 'payload'>;

const drafted = ({ world, members }: Crowd, program: Program): Draft => {
  const { clientId } = program;
  const scene = members[world.below(members.length)]?.engine.scene();
  const nodes = scene === undefined ? [] : [...iterateNodes(scene)];
  const target = nodes[world.below(nodes.length)]?.id;
  const what = world.chance();
  if (clientId !== undefined && (target === undefined || what < 0.4)) {
    program.made += 1;
    const id = `${clientId}:${program.made}` as NodeId;
    const parentId = what < 0.2 ? (target ?? null) : null;
    const node = { id, type: 'rect', parentId, orderKey: `a${world.below(9)}`, properties: {} };
    return { type: 'createNode', targetIds: [], payload: { nodes: [node] } };
  }
  const targetIds = target === undefined ? [] : [target];
  if (what < 0.5) return { type: 'deleteNode', targetIds, payload: {} };
  const name = what < 0.6 ? 'component' : 'style.fill';
  return { type: 'setProperties', targetIds, payload: { set: { [name]: world.below(100) } } };
};

/** Something more, once what it sent before is answered. */
export const write = (crowd: Crowd, program: Program): void => {
  if (program.isSending) return;
  const { world } = crowd;
  program.batch = Array.from({ length: 1 + world.below(4) }, (): Operation => {
    program.lastClientSeq += 1;
    const clientSeq = program.lastClientSeq;
    return {
      ...drafted(crowd, program),
      opId: `of.${program.userId}.${world.below(1e9)}` as OperationId,
      documentId: place.documentId,
      actorId: program.userId,
      clientSeq,
      baseVersion: 0,
      createdAt: world.now(),
    };
  });
  void send(crowd, program);
};

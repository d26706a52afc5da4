/** Builds the route of a command: decodes the input, calls `handle`, answers with ids and revision. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { DomainEvent } from '../../domain/kernel/family';
import { TenantId } from '../../domain/kernel/ids';
import { commonProblems, type Problem, type ProblemTable, problem, problemOf } from '../../infra/server/http/problem';
import { positionHeader } from '../../infra/server/http/routing/position-header';
import type { Answer, Route, RouteRequest } from '../../infra/server/http/routing/route';
import { type CommandHeaders, commandHeaderDocs, commandHeaders } from './command-headers';
import type { CommandDeps, CommandRequest, CommandSpec, PreparedCommand } from './command-spec';
import { derivedId } from './deterministic-ids';
import { handle } from './handle';
import { callerOf, type HandledCommand, type HandleRequest, type Refusal } from './handle-request';

export type { CommandDeps } from './command-spec';

type CommandRouteRequest<Params, Body> = RouteRequest<Params, unknown, Body>;

const commandRequestOf = <Params, Body>(
  { clock }: CommandDeps,
  request: CommandRouteRequest<Params, Body>,
  key: string,
): Either<Problem, CommandRequest<Params, Body>> => {
  const { identity, params, body } = request;
  const { tenantId, principalId } = identity;
  // Signed by the gateway, but it becomes part of a stream's name.
  if (!TenantId.is(tenantId)) return left(problem('forbidden', 'The tenant of the token is unknown.'));
  const commandId = derivedId('command', tenantId, principalId, key);
  const named = (name: string): string => derivedId('named', commandId, name);
  return right({ params, body, tenantId, identity, at: clock.now(), commandId, derivedId: named });
};

interface RouteContext<Params, Body> {
  readonly request: CommandRouteRequest<Params, Body>;
  readonly ifMatch: CommandHeaders['ifMatch'];
  readonly operation: string;
}

const handleRequestOf = <Params, Body, Command>(
  { stream, command, tenant, actor, fresh = false }: PreparedCommand<Command>,
  commandRequest: CommandRequest<Params, Body>,
  { request, ifMatch, operation }: RouteContext<Params, Body>,
): HandleRequest<Command> => ({
  stream,
  command,
  commandId: commandRequest.commandId,
  tenant: tenant ?? commandRequest.tenantId,
  actor: actor ?? callerOf(commandRequest.identity),
  correlationId: request.requestId,
  fingerprint: [operation, commandRequest.params, commandRequest.body],
  fresh,
  ...(ifMatch === undefined ? {} : { ifMatch }),
});

/** A command without effect on a missing stream has neither revision nor position. */
const revisionHeaders = ({ revision, position }: HandledCommand<DomainEvent>): Readonly<Record<string, string>> =>
  revision < 0 ? {} : { ETag: `W/"${revision}"`, ...positionHeader(position) };

const problemOfRefusal = <Code extends string>(refusal: Refusal<Code>, table: ProblemTable): Problem => {
  const refused = problemOf<string>(refusal, table);
  return refusal.code === 'conflict' ? { ...refused, headers: { 'Retry-After': '1' } } : refused;
};

const withKey = (refused: Problem, key: string): Problem => ({
  ...refused,
  headers: { ...refused.headers, 'Idempotency-Key': key },
});

const answerCommand = async <
  Deps extends CommandDeps,
  Params,
  Body,
  Command,
  State,
  Event extends DomainEvent,
  Code extends string,
>(
  spec: CommandSpec<Deps, Params, Body, Command, State, Event, Code>,
  deps: Deps,
  request: CommandRouteRequest<Params, Body>,
): Promise<Answer> => {
  const read = commandHeaders(request.headers);
  if (isLeft(read)) return read.left;
  const { key = deps.random.uuid(), ifMatch } = read.right;
  const commandRequest = commandRequestOf(deps, request, key);
  if (isLeft(commandRequest)) return commandRequest.left;
  const prepared = await spec.prepare(commandRequest.right, deps);
  if (isLeft(prepared)) return withKey(prepared.left, key);
  const command = handleRequestOf(prepared.right, commandRequest.right, {
    request,
    ifMatch,
    operation: spec.operation,
  });
  const handled = await handle(deps, spec.decider, command);
  if (isLeft(handled)) return withKey(problemOfRefusal(handled.left, spec.problems), key);
  const { answer: body, location } = prepared.right;
  const headers = { ...revisionHeaders(handled.right), 'Idempotency-Key': key };
  return {
    status: spec.created === true ? 201 : 200,
    body,
    headers: location === undefined ? headers : { ...headers, Location: location },
  };
};

const problemsOfEveryCommand = [
  'conflict',
  'revision-differs',
  'idempotency-key-reused',
  'event-refused',
  'event-store-unavailable',
  'event-store-ambiguous',
  'vault-unavailable',
] as const;

/** The caller names `Deps`; the other types are inferred: `commandRoute<CommandDeps>()({ … })`. */
export const commandRoute =
  <Deps extends CommandDeps>() =>
  <Params, Body, Command, State, Event extends DomainEvent, Code extends string>(
    spec: CommandSpec<Deps, Params, Body, Command, State, Event, Code>,
  ): Route<Deps, Params, unknown, Body> => {
    const { method, path, operation, summary, description, scopes, params, body, problems } = spec;
    const { sensitive, danger, example } = spec;
    const common = problemsOfEveryCommand.map((code) => [code, commonProblems[code]] as const);
    const headers = ['ETag', 'Position', 'Idempotency-Key', ...(spec.created === true ? ['Location'] : [])];
    return {
      method,
      path,
      operation,
      summary,
      access: { scopes },
      headers: commandHeaderDocs,
      ...(sensitive === undefined ? {} : { sensitive }),
      ...(danger === undefined ? {} : { danger }),
      ...(description === undefined ? {} : { description }),
      ...(params === undefined ? {} : { params }),
      ...(body === undefined ? {} : { body }),
      ...(example === undefined ? {} : { example }),
      answers: {
        [spec.created === true ? 201 : 200]: {
          description: 'Recorded, now or by an earlier request with the same key.',
          body: spec.answer,
          headers,
        },
      },
      problems: { ...Object.fromEntries(common), ...(problems as ProblemTable) },
      handle: (deps, request) => answerCommand(spec, deps, request),
    };
  };

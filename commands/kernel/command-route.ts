/** A command as a route: what is decoded becomes a command, `handle` does it, ids and revision are the answer. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { DomainEvent } from '../../domain/kernel/family';
import { TenantId } from '../../domain/kernel/ids';
import { positionHeader } from '../../infra/http/position';
import { commonProblems, type Problem, type ProblemTable, problem, problemOf } from '../../infra/http/problem';
import type { Answer, Route, RouteRequest } from '../../infra/http/route';
import { type CommandHeaders, commandHeaderDocs, commandHeaders } from './command-headers';
import type { Asked, CommandDeps, CommandSpec, Prepared } from './command-spec';
import { derivedId } from './derive';
import { handle } from './handle';
import type { Handled, HandleRequest, Refusal } from './request';

export type { CommandDeps } from './command-spec';

type Ask<Params, Body> = RouteRequest<Params, unknown, Body>;

const askedOf = <Params, Body>(
  { clock }: CommandDeps,
  request: Ask<Params, Body>,
  key: string,
): Either<Problem, Asked<Params, Body>> => {
  const { identity, params, body } = request;
  const { tenantId, principalId } = identity;
  // Signed by the gateway, but about to become part of a stream's name.
  if (!TenantId.is(tenantId)) return left(problem('forbidden', 'The token is of no known tenant.'));
  const commandId = derivedId('command', tenantId, principalId, key);
  const named = (name: string): string => derivedId('named', commandId, name);
  return right({ params, body, tenantId, identity, at: clock.now(), commandId, derivedId: named });
};

const requestOf = <Params, Body, Command>(
  { stream, command, tenant, fresh = false }: Prepared<Command>,
  asked: Asked<Params, Body>,
  [request, ifMatch, operation]: [Ask<Params, Body>, CommandHeaders['ifMatch'], string],
): HandleRequest<Command> => ({
  stream,
  command,
  commandId: asked.commandId,
  tenant: tenant ?? asked.tenantId,
  actor: asked.identity.principalId,
  correlationId: request.requestId,
  fingerprint: [operation, asked.params, asked.body],
  fresh,
  ...(ifMatch === undefined ? {} : { ifMatch }),
});

/** A command that has nothing to do where nothing is has neither revision nor position. */
const placeOf = ({ revision, position }: Handled<DomainEvent>): Readonly<Record<string, string>> =>
  revision < 0 ? {} : { ETag: `W/"${revision}"`, ...positionHeader(position) };

const refusalOf = <Code extends string>(refusal: Refusal<Code>, table: ProblemTable): Problem => {
  const refused = problemOf<string>(refusal, table);
  return refusal.code === 'conflict' ? { ...refused, headers: { 'Retry-After': '1' } } : refused;
};

const withKey = (refused: Problem, key: string): Problem => ({
  ...refused,
  headers: { ...refused.headers, 'Idempotency-Key': key },
});

const answer = async <
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
  request: Ask<Params, Body>,
): Promise<Answer> => {
  const read = commandHeaders(request.headers);
  if (isLeft(read)) return read.left;
  const { key = deps.random.uuid(), ifMatch } = read.right;
  const asked = askedOf(deps, request, key);
  if (isLeft(asked)) return asked.left;
  const prepared = await spec.prepare(asked.right, deps);
  if (isLeft(prepared)) return withKey(prepared.left, key);
  const command = requestOf(prepared.right, asked.right, [request, ifMatch, spec.operation]);
  const handled = await handle(deps, spec.decider, command);
  if (isLeft(handled)) return withKey(refusalOf(handled.left, spec.problems), key);
  const { answer: body, location } = prepared.right;
  const headers = { ...placeOf(handled.right), 'Idempotency-Key': key };
  return {
    status: spec.created === true ? 201 : 200,
    body,
    headers: location === undefined ? headers : { ...headers, Location: location },
  };
};

const problemsOfEvery = [
  'conflict',
  'revision-differs',
  'idempotency-key-reused',
  'event-refused',
  'event-store-unavailable',
  'event-store-ambiguous',
  'vault-unavailable',
] as const;

/** `Deps` is said first, the rest is inferred: `commandRoute<CommandDeps>()({ … })`. */
export const commandRoute =
  <Deps extends CommandDeps>() =>
  <Params, Body, Command, State, Event extends DomainEvent, Code extends string>(
    spec: CommandSpec<Deps, Params, Body, Command, State, Event, Code>,
  ): Route<Deps, Params, unknown, Body> => {
    const { method, path, operation, summary, description, scopes, params, body, problems } = spec;
    const { sensitive, danger } = spec;
    const common = problemsOfEvery.map((code) => [code, commonProblems[code]] as const);
    const headers = ['ETag', 'Position', 'Idempotency-Key', ...(spec.created === true ? ['Location'] : [])];
    return {
      ...{ method, path, operation, summary, access: { scopes }, headers: commandHeaderDocs },
      ...(sensitive === undefined ? {} : { sensitive }),
      ...(danger === undefined ? {} : { danger }),
      ...(description === undefined ? {} : { description }),
      ...(params === undefined ? {} : { params }),
      ...(body === undefined ? {} : { body }),
      answers: {
        [spec.created === true ? 201 : 200]: {
          description: 'Recorded, now or when it was first asked for.',
          body: spec.answer,
          headers,
        },
      },
      problems: { ...Object.fromEntries(common), ...(problems as ProblemTable) },
      handle: (deps, request) => answer(spec, deps, request),
    };
  };

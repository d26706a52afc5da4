/** Declaration of one command, from which `commandRoute` builds a route. */
import type { Either } from 'fp-ts/Either';
import type * as t from 'io-ts';
import type { Instant } from '../../domain/kernel/codec';
import type { Decider } from '../../domain/kernel/decider';
import type { DomainEvent } from '../../domain/kernel/family';
import type { TenantId } from '../../domain/kernel/ids';
import type { Random } from '../../infra/ports/runtime/random';
import type { commonProblems, Problem, ProblemKind } from '../../infra/server/http/problem';
import type { Identity } from '../../infra/server/http/routing/route';
import type { Actor, HandleDeps } from './handle-request';

export interface CommandDeps extends HandleDeps {
  readonly random: Random;
}

/** A decoded request of a caller with a valid tenant. */
export interface CommandRequest<Params, Body> {
  readonly params: Params;
  readonly body: Body;
  readonly tenantId: TenantId;
  readonly identity: Identity;
  readonly at: Instant;
  /** Scoped to the caller: the same key of another caller is another command. */
  readonly commandId: string;
  /** A UUID per name, the same for a retry. */
  readonly derivedId: (name: string) => string;
}

export interface PreparedCommand<Command> {
  readonly stream: string;
  /** Of the stream, where it is not the caller's own. */
  readonly tenant?: TenantId;
  /** Recorded instead of the caller's principal id, which another tenant would read as one of its own. */
  readonly actor?: Actor;
  readonly command: Command;
  /** The answer's body. A retry must make the same. */
  readonly answer: { readonly [field: string]: unknown };
  /** The stream's id derives from the command's. */
  readonly fresh?: boolean;
  readonly location?: string;
}

type CommonCode = keyof typeof commonProblems;

export interface CommandSpec<
  Deps extends CommandDeps,
  Params,
  Body,
  Command,
  State,
  Event extends DomainEvent,
  Code extends string,
> {
  readonly method: 'post' | 'put' | 'delete';
  readonly path: string;
  readonly operation: string;
  readonly summary: string;
  readonly description?: string;
  readonly scopes: readonly string[];
  /** As of any route. */
  readonly sensitive?: boolean;
  readonly danger?: true;
  readonly params?: t.Type<Params, unknown>;
  readonly body?: t.Type<Body, unknown>;
  /** As of any route. */
  readonly example?: unknown;
  /** 201 instead of 200. */
  readonly created?: boolean;
  readonly answer: t.Any;
  readonly decider: Decider<Command, State, Event, Code>;
  readonly problems: { readonly [C in Exclude<Code, CommonCode>]: ProblemKind };
  readonly prepare: (
    request: CommandRequest<Params, Body>,
    deps: Deps,
  ) => Either<Problem, PreparedCommand<Command>> | Promise<Either<Problem, PreparedCommand<Command>>>;
}

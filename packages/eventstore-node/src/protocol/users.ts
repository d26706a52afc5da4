/** The Users service: administrators manage users, and users change their own password. */
import {
  type ChangePasswordReq,
  ChangePasswordResp,
  type CreateReq,
  CreateResp,
  type DeleteReq,
  DeleteResp,
  type DetailsReq,
  DetailsResp,
  type DisableReq,
  DisableResp,
  type EnableReq,
  EnableResp,
  type ResetPasswordReq,
  ResetPasswordResp,
  type UpdateReq,
  UpdateResp,
} from '@eventstore/db-client/generated/users_pb';
import { type handleUnaryCall, type ServerWritableStream, status } from '@grpc/grpc-js';
import { administrators } from '../access/acl';
import type { Caller } from '../access/caller';
import type { UserOutcome } from '../users/user-commands';
import type { StoredUser } from '../users/user-record';
import { createFail, type Node, unary } from './call-context';
import { accessDenied, CallError, handlerFailed, invalidArgument, writeRefused } from './errors';

const userConflict = (login: string): CallError =>
  new CallError(status.FAILED_PRECONDITION, 'Conflict.', { exception: 'user-conflict', 'login-name': login });

const throwUnlessDone = (login: string, outcome: UserOutcome): void => {
  switch (outcome.kind) {
    case 'done':
      return;
    case 'not-found':
      throw userNotFound(login);
    case 'conflict':
      throw userConflict(login);
    case 'denied':
      throw accessDenied();
    case 'invalid':
      throw invalidArgument(outcome.problem);
    case 'refused':
      throw writeRefused(outcome.reason);
  }
};

interface WithOptions<Options> {
  getOptions(): Options | undefined;
}

interface WithLoginName {
  getLoginName(): string;
}

const optionsOf = <Options>(request: WithOptions<Options>): Options => {
  const options = request.getOptions();
  if (options === undefined) throw handlerFailed();
  return options;
};

/** Changes for administrators. */
const administratorMethod = <Options extends WithLoginName, Request extends WithOptions<Options>, Reply>(
  node: Node,
  Reply: new () => Reply,
  change: (options: Options) => Promise<UserOutcome>,
): handleUnaryCall<Request, Reply> =>
  unary(node, async (request, caller) => {
    node.access.allowOperator(caller, administrators);
    const options = optionsOf(request);
    throwUnlessDone(options.getLoginName(), await change(options));
    return new Reply();
  });

/** Requires the current password, also from administrators, who can reset it instead. */
const changePassword = (node: Node): handleUnaryCall<ChangePasswordReq, ChangePasswordResp> =>
  unary(node, async (request, caller) => {
    const options = optionsOf(request);
    const login = options.getLoginName();
    if (!isSelf(caller, login)) node.access.allowOperator(caller, administrators);
    const change = { login, current: options.getCurrentPassword(), next: options.getNewPassword() };
    throwUnlessDone(login, await node.users.changePassword(change));
    return new ChangePasswordResp();
  });

export const usersMethods = (node: Node) => ({
  create: administratorMethod<CreateReq.Options, CreateReq, CreateResp>(node, CreateResp, (options) =>
    node.users.create({
      login: options.getLoginName(),
      fullName: options.getFullName(),
      groups: options.getGroupsList(),
      password: options.getPassword(),
    }),
  ),
  // EventStoreDB ignores the password of an update as well.
  update: administratorMethod<UpdateReq.Options, UpdateReq, UpdateResp>(node, UpdateResp, (options) =>
    node.users.update({
      login: options.getLoginName(),
      fullName: options.getFullName(),
      groups: options.getGroupsList(),
    }),
  ),
  delete: administratorMethod<DeleteReq.Options, DeleteReq, DeleteResp>(node, DeleteResp, (options) =>
    node.users.remove(options.getLoginName()),
  ),
  disable: administratorMethod<DisableReq.Options, DisableReq, DisableResp>(node, DisableResp, (options) =>
    node.users.setDisabled(options.getLoginName(), true),
  ),
  enable: administratorMethod<EnableReq.Options, EnableReq, EnableResp>(node, EnableResp, (options) =>
    node.users.setDisabled(options.getLoginName(), false),
  ),
  details: details(node),
  changePassword: changePassword(node),
  resetPassword: administratorMethod<ResetPasswordReq.Options, ResetPasswordReq, ResetPasswordResp>(
    node,
    ResetPasswordResp,
    (options) => node.users.resetPassword(options.getLoginName(), options.getNewPassword()),
  ),
});

const userNotFound = (login: string): CallError =>
  new CallError(status.NOT_FOUND, `User '${login}' is not found.`, {
    exception: 'user-not-found',
    'login-name': login,
  });

const isSelf = (caller: Caller, login: string): boolean => caller.kind === 'user' && caller.login === login;

const ticksPerMillisecond = 10_000n;

/** Encodes the details of a user. */
const detailsReply = ({ login, fullName, groups, disabled, updated }: StoredUser): DetailsResp => {
  const lastUpdated = new DetailsResp.UserDetails.DateTime();
  lastUpdated.setTicksSinceEpoch(String(BigInt(updated) * ticksPerMillisecond));
  const details = new DetailsResp.UserDetails();
  details.setLoginName(login);
  details.setFullName(fullName);
  details.setGroupsList([...groups]);
  details.setLastUpdated(lastUpdated);
  details.setDisabled(disabled);
  const reply = new DetailsResp();
  reply.setUserDetails(details);
  return reply;
};

/** All users when the request names none. */
const findRequestedUsers = (node: Node, caller: Caller, login: string): readonly StoredUser[] => {
  if (!isSelf(caller, login)) node.access.allowOperator(caller, administrators);
  if (login.trim() === '') return node.users.all();
  const user = node.users.find(login);
  if (user === undefined) throw userNotFound(login);
  return [user];
};

const details =
  (node: Node) =>
  (call: ServerWritableStream<DetailsReq, DetailsResp>): void => {
    const run = async (): Promise<void> => {
      const caller = await node.access.callerFromMetadata(call.metadata);
      for (const user of findRequestedUsers(node, caller, call.request.getOptions()?.getLoginName() ?? ''))
        call.write(detailsReply(user));
      call.end();
    };
    run().catch(createFail(node, call));
  };

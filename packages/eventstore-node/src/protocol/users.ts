/** The Users service: administrators manage users, and everybody their own password. */

import type {
  ChangePasswordReq,
  CreateReq,
  DeleteReq,
  DisableReq,
  EnableReq,
  ResetPasswordReq,
  UpdateReq,
} from '@eventstore/db-client/generated/users_pb';
import {
  ChangePasswordResp,
  CreateResp,
  DeleteResp,
  DisableResp,
  EnableResp,
  ResetPasswordResp,
  UpdateResp,
} from '@eventstore/db-client/generated/users_pb';
import { type handleUnaryCall, status } from '@grpc/grpc-js';
import { administrators } from '../access/acl';
import type { Outcome } from '../users/change';
import { type Node, unary } from './calls';
import { accessDenied, CallEnded, handlerThrew, invalidArgument, writeRefused } from './errors';
import { details, isSelf, userNotFound } from './user-details';

const userConflict = (login: string): CallEnded =>
  new CallEnded(status.FAILED_PRECONDITION, 'Conflict.', { exception: 'user-conflict', 'login-name': login });

const check = (login: string, outcome: Outcome): void => {
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

interface Asking<Options> {
  getOptions(): Options | undefined;
}

interface Named {
  getLoginName(): string;
}

const optionsOf = <Options>(request: Asking<Options>): Options => {
  const options = request.getOptions();
  if (options === undefined) throw handlerThrew();
  return options;
};

/** Changes that administrators make. */
const managing = <Options extends Named, Request extends Asking<Options>, Reply>(
  node: Node,
  Reply: new () => Reply,
  change: (options: Options) => Promise<Outcome>,
): handleUnaryCall<Request, Reply> =>
  unary(node, async (request, caller) => {
    node.access.allowOperator(caller, administrators);
    const options = optionsOf(request);
    check(options.getLoginName(), await change(options));
    return new Reply();
  });

/** Whose password it is has to know it; an administrator too, who can reset it otherwise. */
const changePassword = (node: Node): handleUnaryCall<ChangePasswordReq, ChangePasswordResp> =>
  unary(node, async (request, caller) => {
    const options = optionsOf(request);
    const login = options.getLoginName();
    if (!isSelf(caller, login)) node.access.allowOperator(caller, administrators);
    const change = { login, current: options.getCurrentPassword(), next: options.getNewPassword() };
    check(login, await node.users.changePassword(change));
    return new ChangePasswordResp();
  });

export const usersMethods = (node: Node) => ({
  create: managing<CreateReq.Options, CreateReq, CreateResp>(node, CreateResp, (options) =>
    node.users.create({
      login: options.getLoginName(),
      fullName: options.getFullName(),
      groups: options.getGroupsList(),
      password: options.getPassword(),
    }),
  ),
  // A real node leaves the password of an update aside as well.
  update: managing<UpdateReq.Options, UpdateReq, UpdateResp>(node, UpdateResp, (options) =>
    node.users.update({
      login: options.getLoginName(),
      fullName: options.getFullName(),
      groups: options.getGroupsList(),
    }),
  ),
  delete: managing<DeleteReq.Options, DeleteReq, DeleteResp>(node, DeleteResp, (options) =>
    node.users.remove(options.getLoginName()),
  ),
  disable: managing<DisableReq.Options, DisableReq, DisableResp>(node, DisableResp, (options) =>
    node.users.setDisabled(options.getLoginName(), true),
  ),
  enable: managing<EnableReq.Options, EnableReq, EnableResp>(node, EnableResp, (options) =>
    node.users.setDisabled(options.getLoginName(), false),
  ),
  details: details(node),
  changePassword: changePassword(node),
  resetPassword: managing<ResetPasswordReq.Options, ResetPasswordReq, ResetPasswordResp>(
    node,
    ResetPasswordResp,
    (options) => node.users.resetPassword(options.getLoginName(), options.getNewPassword()),
  ),
});

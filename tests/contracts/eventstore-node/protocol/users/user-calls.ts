/** The Users service, as one caller sees it. */
import type { UsersClient } from '@eventstore/db-client/generated/users_grpc_pb';
import {
  ChangePasswordReq,
  CreateReq,
  DeleteReq,
  DetailsReq,
  type DetailsResp,
  DisableReq,
  EnableReq,
  ResetPasswordReq,
  UpdateReq,
} from '@eventstore/db-client/generated/users_pb';
import type { ServiceError } from '@grpc/grpc-js';
import { answered, type Failed, failedOf } from '../harness/raw-calls';

export interface NewUser {
  readonly login: string;
  readonly fullName: string;
  readonly groups: readonly string[];
  readonly password: string;
}

type Answer = Promise<object | Failed>;

export interface UserCalls {
  readonly create: (user: NewUser) => Answer;
  readonly update: (user: Omit<NewUser, 'password'>) => Answer;
  readonly remove: (login: string) => Answer;
  readonly disable: (login: string) => Answer;
  readonly enable: (login: string) => Answer;
  readonly resetPassword: (login: string, password: string) => Answer;
  readonly changePassword: (login: string, current: string, next: string) => Answer;
  /** Everybody's for ''. */
  readonly details: (login: string) => Promise<readonly DetailsResp.UserDetails.AsObject[] | Failed>;
}

const named = <Options extends { setLoginName(login: string): unknown }>(options: Options, login: string): Options => {
  options.setLoginName(login);
  return options;
};

const details = async (client: UsersClient, login: string) => {
  const found: DetailsResp.UserDetails.AsObject[] = [];
  const request = new DetailsReq().setOptions(named(new DetailsReq.Options(), login));
  try {
    for await (const reply of client.details(request)) {
      const user = (reply as DetailsResp).getUserDetails();
      if (user !== undefined) found.push(user.toObject());
    }
    return found;
  } catch (error) {
    return failedOf(error as ServiceError);
  }
};

const management = (client: UsersClient) => {
  const byLogin = (call: (login: string, answer: (error: ServiceError | null, reply: object) => void) => void) => {
    return (login: string): Answer => new Promise((resolve) => call(login, answered(resolve)));
  };
  return {
    remove: byLogin((login, answer) =>
      client.delete(new DeleteReq().setOptions(named(new DeleteReq.Options(), login)), answer),
    ),
    disable: byLogin((login, answer) =>
      client.disable(new DisableReq().setOptions(named(new DisableReq.Options(), login)), answer),
    ),
    enable: byLogin((login, answer) =>
      client.enable(new EnableReq().setOptions(named(new EnableReq.Options(), login)), answer),
    ),
  };
};

export const userCalls = (client: UsersClient): UserCalls => ({
  ...management(client),
  create: ({ login, fullName, groups, password }) =>
    new Promise((resolve) => {
      const options = named(new CreateReq.Options(), login)
        .setFullName(fullName)
        .setGroupsList([...groups]);
      client.create(new CreateReq().setOptions(options.setPassword(password)), answered<object>(resolve));
    }),
  update: ({ login, fullName, groups }) =>
    new Promise((resolve) => {
      const options = named(new UpdateReq.Options(), login)
        .setFullName(fullName)
        .setGroupsList([...groups]);
      client.update(new UpdateReq().setOptions(options), answered<object>(resolve));
    }),
  resetPassword: (login, password) =>
    new Promise((resolve) => {
      const options = named(new ResetPasswordReq.Options(), login).setNewPassword(password);
      client.resetPassword(new ResetPasswordReq().setOptions(options), answered<object>(resolve));
    }),
  changePassword: (login, current, next) =>
    new Promise((resolve) => {
      const options = named(new ChangePasswordReq.Options(), login).setCurrentPassword(current).setNewPassword(next);
      client.changePassword(new ChangePasswordReq().setOptions(options), answered<object>(resolve));
    }),
  details: (login) => details(client, login),
});

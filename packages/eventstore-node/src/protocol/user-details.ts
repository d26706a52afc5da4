/** Who the node's users are, as the Users service tells it. */
import { type DetailsReq, DetailsResp } from '@eventstore/db-client/generated/users_pb';
import { type ServerWritableStream, status } from '@grpc/grpc-js';
import { administrators } from '../access/acl';
import type { Caller } from '../access/caller';
import type { StoredUser } from '../users/user';
import { failing, type Node } from './calls';
import { CallEnded } from './errors';

export const userNotFound = (login: string): CallEnded =>
  new CallEnded(status.NOT_FOUND, `User '${login}' is not found.`, {
    exception: 'user-not-found',
    'login-name': login,
  });

export const isSelf = (caller: Caller, login: string): boolean => caller.kind === 'user' && caller.login === login;

const ticksPerMillisecond = 10_000n;

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

/** Without a login, everybody's. */
const usersAsked = (node: Node, caller: Caller, login: string): readonly StoredUser[] => {
  if (!isSelf(caller, login)) node.access.allowOperator(caller, administrators);
  if (login.trim() === '') return node.users.all();
  const user = node.users.find(login);
  if (user === undefined) throw userNotFound(login);
  return [user];
};

export const details =
  (node: Node) =>
  (call: ServerWritableStream<DetailsReq, DetailsResp>): void => {
    const run = async (): Promise<void> => {
      const caller = await node.access.callerOf(call.metadata);
      for (const user of usersAsked(node, caller, call.request.getOptions()?.getLoginName() ?? ''))
        call.write(detailsReply(user));
      call.end();
    };
    run().catch(failing(node, call));
  };

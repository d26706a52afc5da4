/** What identity's queries answer and its commands take, as their routes say: a route that changes is seen when types are checked. */
export type {
  Authenticator,
  Authority,
  Client,
  ClientAnswer,
  ClientRegistration,
  Credential,
  EnrolledPerson,
  Grant,
  KnownClientSecret,
  Principal,
  PrincipalAnswer,
  PrincipalHistoryItem as HistoryItem,
  RefreshFamily,
  Session,
  SigningKey,
} from '../../../packages/client/src/schemas';

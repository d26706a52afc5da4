/** Whether sign-in of a person is limited now, after too many wrong passwords or codes. */
import { listRefusedRequests } from '../../../../packages/client/src/operations';
import { Timestamp } from '../../components/timestamp';
import { now } from '../../kernel/now';
import { useResource } from '../../kernel/use-resource';
import { refusedRequestsOf } from '../paths';

/** As the limits of sign-in count. */
const windowMilliseconds = 15 * 60_000;
const everyMilliseconds = 10_000;
const code = 'sign-in-limited';

export const SignInLimit = ({ principalId }: { readonly principalId: string }) => {
  const refused = useResource(listRefusedRequests({ principalIds: principalId, code, limit: 1 }), {
    everyMilliseconds,
  });
  const [latest] = refused.content?.items ?? [];
  if (latest === undefined || now.value - Date.parse(latest.at) > windowMilliseconds) return null;
  return (
    <p class="notice warn section" role="status">
      Sign-in of this person is limited after too many wrong passwords or codes. Last refused{' '}
      <Timestamp at={latest.at} />. The limit ends by itself within 15 minutes. Until then a passkey or a new sign-in
      link lets the person in. <a href={refusedRequestsOf({ principalId })}>Refused requests</a>
    </p>
  );
};

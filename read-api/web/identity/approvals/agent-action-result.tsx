/** How the result of an agent's action is shown. */
import { StatusBadge } from '../../components/status-badge';
import type { AgentAction } from '../wire';

export const ActionResult = ({ action: { result, httpStatus } }: { readonly action: AgentAction }) => {
  if (result === null) return <StatusBadge>not reported</StatusBadge>;
  return result === 'SUCCEEDED' ? (
    <StatusBadge tone="good">done ({httpStatus})</StatusBadge>
  ) : (
    <StatusBadge tone="bad">failed ({httpStatus})</StatusBadge>
  );
};

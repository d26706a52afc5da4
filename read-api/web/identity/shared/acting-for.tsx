/** The delegator of an agent, beside the actor of an event. */
import { Reference } from '../../references/reference';

export const ActingFor = ({ details: { onBehalfOf } }: { readonly details: { readonly [name: string]: unknown } }) =>
  typeof onBehalfOf === 'string' ? (
    <>
      {' '}
      for <Reference kind="principal" id={onBehalfOf} isShort />
    </>
  ) : null;

/** An owner or another person: the reader is `you`, others by name where it is known. */
import { isMe } from '../kernel/permissions';
import { NamedReference, Reference } from './reference';

interface Props {
  readonly id: string;
  /** As the answer has it; left out, it is looked up. */
  readonly name?: string | null;
}

export const Person = ({ id, name }: Props) => {
  if (isMe(id)) return <>You</>;
  if (name === undefined || name === null) return <Reference kind="principal" id={id} isShort />;
  return <NamedReference kind="principal" id={id} isShort found={{ name }} />;
};

/** Reads metadata of unknown origin. */
const fieldOf = (metadata: unknown, field: string): string | undefined => {
  if (typeof metadata !== 'object' || metadata === null) return undefined;
  const value: unknown = Object.getOwnPropertyDescriptor(metadata, field)?.value;
  return typeof value === 'string' && value !== '' ? value : undefined;
};

export const actorOf = (metadata: unknown): string | undefined => fieldOf(metadata, 'actor');
export const correlationOf = (metadata: unknown): string | undefined => fieldOf(metadata, '$correlationId');
export const causationOf = (metadata: unknown): string | undefined => fieldOf(metadata, '$causationId');
/** Of the command that recorded the event. */
export const commandOf = (metadata: unknown): string | undefined => fieldOf(metadata, 'commandId');

/** Whether the message of a commit says that it starts no workflows, as it does on GitHub. */
const marks = ['[skip ci]', '[ci skip]', '[no ci]', '[skip actions]', '[actions skip]'];
/** A trailer: in the last paragraph, after two empty lines or one. */
const trailer = /\n\nskip-checks: *true(?:\n|$)/i;

export const skipsWorkflows = (message: string): boolean =>
  marks.some((mark) => message.toLowerCase().includes(mark)) || trailer.test(message.trimEnd());

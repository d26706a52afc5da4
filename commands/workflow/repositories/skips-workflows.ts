/** Whether a commit is to start no workflows, which its message declares as on GitHub. */
const marks = ['[skip ci]', '[ci skip]', '[no ci]', '[skip actions]', '[actions skip]'];
/** As the first line of a paragraph. */
const trailer = /\n\nskip-checks: *true(?:\n|$)/i;

export const skipsWorkflows = (message: string): boolean =>
  marks.some((mark) => message.toLowerCase().includes(mark)) || trailer.test(message.trimEnd());

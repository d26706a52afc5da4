/** Headers that the SDK has no word for, or attaches more to than is wanted. */

interface Step {
  readonly request: { readonly headers: Record<string, string> };
}

interface Stack {
  readonly add: (
    middleware: (next: (step: Step) => unknown) => (step: Step) => unknown,
    options: { readonly step: 'build'; readonly name: string },
  ) => void;
}

/** The same command; signed with the header, as the signature is made of what is there by then. */
const withHeader = <Command extends { readonly middlewareStack: unknown }>(
  command: Command,
  name: string,
  value: string,
): Command => {
  const stack = command.middlewareStack as Stack;
  stack.add(
    (next) => (step) => {
      step.request.headers[name] = value;
      return next(step);
    },
    { step: 'build', name },
  );
  return command;
};

/**
 * The hash of the payload becomes part of the signature, and every S3 holds the body against it. Without one in advance
 * streams are sent unsigned.
 */
export const payloadSigned = <Command extends { readonly middlewareStack: unknown }>(
  command: Command,
  sha256: string | undefined,
): Command => (sha256 === undefined ? command : withHeader(command, 'x-amz-content-sha256', sha256));

/** Asked for by a parameter, the SDK would check it too, beside us. */
export const checksumAsked = <Command extends { readonly middlewareStack: unknown }>(command: Command): Command =>
  withHeader(command, 'x-amz-checksum-mode', 'ENABLED');
